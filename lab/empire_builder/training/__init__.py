"""How the network of the eye is taught: photographs of the studio in, ``edges.onnx`` out."""

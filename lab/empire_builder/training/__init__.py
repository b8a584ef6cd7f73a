"""How the networks of the reader are trained: photographs of the studio in, ONNX files out."""

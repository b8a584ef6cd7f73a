"""The reader of Railroad Ink: from a photograph to route probabilities, and the ruling on them."""

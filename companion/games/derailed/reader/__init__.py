"""The reader of Derailed!: from a photograph to card probabilities, and the ruling on them."""

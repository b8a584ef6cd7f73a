"""The reader of SPIKE: from a photograph to tracks, pawns, chips and cards, and the ruling on them."""

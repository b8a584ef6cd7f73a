"""SPIKE's eye: a photograph of the board becomes tracks, pawns, chips and cards, and a ruling."""

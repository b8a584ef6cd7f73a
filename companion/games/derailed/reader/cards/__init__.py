"""Detection and classification of cards in a picture."""

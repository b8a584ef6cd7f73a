"""The grid of places in which cards lie."""

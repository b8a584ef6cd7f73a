"""The search for the grid of places in which cards lie."""

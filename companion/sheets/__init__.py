"""Sheets as data: slots, tags, grids and lattices, drawings, decks, and printing them."""

"""Finds printed sheets in photographs and rectifies their slots; independent of any game."""

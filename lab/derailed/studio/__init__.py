"""Draws card tables with known cards and photographs them."""

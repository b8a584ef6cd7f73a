"""Draws boards with known marks by somebody's hand and photographs them."""

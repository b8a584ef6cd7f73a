"""Drawings on paper, in pictures and on the page."""

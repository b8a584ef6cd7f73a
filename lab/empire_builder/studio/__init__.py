"""Photographs of the map that nobody took: track in crayon, pawns and chips, on somebody's table."""

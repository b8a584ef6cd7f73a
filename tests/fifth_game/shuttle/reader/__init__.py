"""Photographs of the sheet: reading, ruling, and the studio that makes pictures with their truth."""

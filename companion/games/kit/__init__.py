"""Modules shared by the games: drawing, printing, notation and reading."""

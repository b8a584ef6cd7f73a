"""Scores: networks, longest routes, goals, and very many boards at once."""

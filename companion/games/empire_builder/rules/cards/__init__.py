"""Demand cards, event cards, and the cards of owners."""

"""SPIKE: rules, a map and cards of our own, owners' boards and cards, sheets."""

"""The expansions: see the README of this folder. ``registry.py`` is where the rest of the rules asks."""

"""The games, a folder each, what they promise to whoever hosts them, and the kit that they share."""

"""Cards in a picture: where they lie, and what they show."""

"""The dice roller, the panel and its lamps; who throws the dice, and seeds that are committed to."""

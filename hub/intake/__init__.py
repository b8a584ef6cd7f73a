"""What boxes send: checked, stored once, by way of a stream or not; and what cannot be stored."""

"""What was played here, told to people and other programs."""

"""What a roll allows: every complete turn of the dice, and how many dice can be drawn."""

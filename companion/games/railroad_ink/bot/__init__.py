"""The bot of Railroad Ink: a beam search over the ways to draw a roll, and what a board promises."""

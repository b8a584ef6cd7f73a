"""The sheet: its numbers, its drawing, what there is to print."""

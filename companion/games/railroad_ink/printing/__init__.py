"""What is printed for Railroad Ink: the numbers of the print, the drawings, the sheets."""

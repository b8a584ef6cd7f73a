"""What is printed for SPIKE: the numbers of the print, the drawings, the sheets."""

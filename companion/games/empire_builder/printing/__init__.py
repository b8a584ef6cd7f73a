"""What is printed for Empire Builder: the numbers of the print, the drawings, the sheets."""

"""What is printed for Derailed!: the numbers of the print, the drawings, the sheets."""

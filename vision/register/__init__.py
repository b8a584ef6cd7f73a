"""Places a sheet exactly: fits its placement, refines it on the print, and rectifies what lies on it."""

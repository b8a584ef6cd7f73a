"""A camera on a stand over a table: every sheet is followed by its own print, and rests by itself."""

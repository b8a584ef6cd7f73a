"""Picture sources: cameras of every kind, and watching the table through them."""

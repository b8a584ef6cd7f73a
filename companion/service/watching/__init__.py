"""A camera over the table that follows a match by itself: what it sees, what is entered and told."""

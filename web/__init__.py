"""Pages for phones, the table screen and the host."""

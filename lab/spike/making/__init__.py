"""Makes the shipped board and cards from public-domain geography; the table needs only the result."""

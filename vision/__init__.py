"""Photo in; sheets placed on their own print and straightened slots out. Knows no game."""

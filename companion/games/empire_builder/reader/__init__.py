"""The reader of Empire Builder: crayon on edges, pieces on mileposts, and the ruling on them."""

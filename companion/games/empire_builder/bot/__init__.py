"""The bot of Empire Builder: what it does next, from what its seat may see."""

"""The bot of SPIKE: builds where contracts lead, keeps its train moving, and upgrades it early."""

"""Material and training for the network that sees pieces on any board."""

"""How quick and how small the box is, measured as phones see it: ``python -m lab.box``."""

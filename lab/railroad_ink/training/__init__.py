"""Makes the networks: ``python -m lab.railroad_ink.training``; needs the extra ``train``."""

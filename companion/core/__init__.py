"""What every part of the house stands on, and what itself stands on nothing of the house."""

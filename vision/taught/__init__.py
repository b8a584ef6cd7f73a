"""Boards taught by their owner from one photograph: found again, and their segments read."""

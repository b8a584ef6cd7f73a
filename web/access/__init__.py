"""Who asks, and what they may: rooms and seats, PINs and codes, limits, what a request must look like."""

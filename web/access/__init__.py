"""Identity and access: rooms and seats, PINs and codes, rate limits, request validation."""

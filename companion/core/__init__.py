"""What every part of the house may import, and what imports none of them."""

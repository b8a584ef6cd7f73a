"""Empire Builder."""

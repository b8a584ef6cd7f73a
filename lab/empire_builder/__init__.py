"""The laboratory of Empire Builder: how its map and cards are made, benches."""

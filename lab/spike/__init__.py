"""The laboratory of SPIKE: how its board and cards are made, random play, benches."""

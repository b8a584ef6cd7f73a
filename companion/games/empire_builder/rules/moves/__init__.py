"""What a player does in a turn: building, running the train, freight, and what may be asked beforehand."""

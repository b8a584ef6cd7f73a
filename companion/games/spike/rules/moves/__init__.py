"""What a player does in a turn: building, moving, loading, drawing and paying."""

"""How the game looks on phones and on the table's screen."""

"""A fifth game in a folder that nothing else in the house knows: the proof that a game is one folder."""

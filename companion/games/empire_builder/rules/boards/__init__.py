"""The board, owners' own maps, positions, and the connected components of track."""

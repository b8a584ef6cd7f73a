"""Boards: routes and how they are written, where they may be drawn, positions, differences."""

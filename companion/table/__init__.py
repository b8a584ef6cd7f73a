"""Matches at one physical table: events, storage, seats, undo."""

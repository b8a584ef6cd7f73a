"""The games, the table, the box at its end, and the command line: see ``docs/architecture.md``."""

__version__ = "0.2.0"

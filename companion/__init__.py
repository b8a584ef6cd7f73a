"""The table and the rules. No OpenCV, no serial line and no Flask in here."""

__version__ = "0.2.0"

"""The rules: pure functions over plain data."""

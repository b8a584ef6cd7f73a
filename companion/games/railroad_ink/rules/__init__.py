"""The rules of Railroad Ink: pure functions over plain data, and the tables of the rulebook."""

"""The rules of SPIKE: pure functions over plain data, and the tables of the rulebook."""

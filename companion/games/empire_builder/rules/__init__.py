"""The rules of Empire Builder: pure functions over plain data, and the tables of the rulebook."""

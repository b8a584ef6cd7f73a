"""The rules of Derailed!: pure functions over plain data, and the tables of the rulebook."""

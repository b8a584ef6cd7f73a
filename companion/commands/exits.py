"""Exit codes, the same for every command."""

FINE = 0
NOT_SO = 1  # the thing asked about is not so
BAD_INPUT = 2

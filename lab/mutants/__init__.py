"""How many small faults the gate notices: a mutation check of the whole house."""

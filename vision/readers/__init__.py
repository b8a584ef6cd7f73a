"""What is in the slots of a sheet: one reader a kind of slot, on one shared pipeline."""

"""The map in a photograph: whose crayon is on which edge, what stands on which milepost, and the ruling."""

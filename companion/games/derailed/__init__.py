"""Derailed!: rail cards laid into lanes, from mixed-up stations to mixed-up towns."""

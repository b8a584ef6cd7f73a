"""What a game promises to whoever hosts it: base classes, packages, the registry."""

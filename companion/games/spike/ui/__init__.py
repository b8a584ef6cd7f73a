"""How SPIKE looks on a page: presenter, controls, templates, scripts, help."""

"""How Empire Builder looks on a page: presenter, controls, templates, scripts, help."""

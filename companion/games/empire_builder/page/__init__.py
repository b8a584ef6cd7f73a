"""How Empire Builder looks on a page: show, controls, templates, scripts, help."""

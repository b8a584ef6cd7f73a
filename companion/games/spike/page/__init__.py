"""How SPIKE looks on a page: show, controls, templates, scripts, help."""

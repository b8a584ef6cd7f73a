"""How Railroad Ink looks on a page: presenter, controls, templates, scripts, help."""

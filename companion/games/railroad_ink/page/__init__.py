"""How Railroad Ink looks on a page: show, controls, templates, scripts, help."""

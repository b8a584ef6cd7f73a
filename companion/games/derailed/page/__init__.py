"""How Derailed! looks on a page: show, controls, templates, scripts, help."""

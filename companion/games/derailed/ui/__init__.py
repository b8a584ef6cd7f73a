"""How Derailed! looks on a page: presenter, controls, templates, scripts, help."""

"""Studio films: matches at a table as frames of a fixed or a shaky camera, with truth for every frame."""

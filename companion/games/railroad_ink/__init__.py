"""Railroad Ink Challenge and the classic edition: notation, placement, scoring, matches."""

"""The laboratory of Railroad Ink: studio, training, random play, benches."""

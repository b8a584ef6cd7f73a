"""The laboratory of Derailed!: studio, training, benches."""

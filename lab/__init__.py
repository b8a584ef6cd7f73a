"""What a box never needs: studios, training, benches, map making. Not part of what is installed."""

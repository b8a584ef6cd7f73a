"""Makes the map from public-domain geography. Needed once; the table uses what it made."""

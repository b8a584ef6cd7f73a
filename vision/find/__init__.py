"""Finds sheets in a picture: corner tags, and the landmarks of a print where tags are missing."""

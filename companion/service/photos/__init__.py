"""Photographs of boards: the camera, the reader's process and what runs there, what is kept."""

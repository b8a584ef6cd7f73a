"""The HTML pages, and what they are made from: files, scripts, history, practice."""

"""Finds coloured pieces on a board whose empty look is known, and clusters their colours.

    straightened picture + blank -> against_blank -> views -> finding -> colours

The blank may be our own drawing or a photograph of an owner's board when it was empty, in any light.
"""

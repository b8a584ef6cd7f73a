"""Coloured pieces on a board whose empty look is known: where some lie, and which of the table's colours.

    straightened picture + blank -> against_blank -> views -> finding -> colours

The blank may be our own drawing or a photograph of an owner's board when it was empty, in any light.
"""

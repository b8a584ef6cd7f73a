"""JSON under ``/api/v1``: everything the pages do, and nothing else is there for them."""

from web.api import asking, hosting, matches, owning, photos, previews, reading, scoring, seats, streaming
from web.api.operations import api

__all__ = [
    "api",
    "asking",
    "hosting",
    "matches",
    "owning",
    "photos",
    "previews",
    "reading",
    "scoring",
    "seats",
    "streaming",
]

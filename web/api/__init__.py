"""The JSON API under ``/api/v1``: everything that the pages do goes through it."""

from web.api import (
    about,
    asking,
    club,
    history,
    hosting,
    matches,
    owning,
    photos,
    previews,
    room,
    scoring,
    seats,
    setup,
    streaming,
    taught,
    updating,
    watching,
)
from web.api.operations import api

__all__ = [
    "about",
    "api",
    "asking",
    "club",
    "history",
    "hosting",
    "matches",
    "owning",
    "photos",
    "previews",
    "room",
    "scoring",
    "seats",
    "setup",
    "streaming",
    "taught",
    "updating",
    "watching",
]

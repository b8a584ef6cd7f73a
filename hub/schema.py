"""The hub's database schema: ``schema.sql`` for a new one, migration steps for earlier versions.

The version stands in the clock's row. The steps are the same SQL for SQLite and PostgreSQL. The README beside
this file says how one is added.
"""

from __future__ import annotations

from importlib.resources import files

VERSION = 2  # of schema.sql

# The statements that bring a database of this version to the next one; they happen together or not at all.
STEPS: dict[int, tuple[str, ...]] = {
    # The first hubs wrote no version.
    1: ("ALTER TABLE clock ADD COLUMN schema_version BIGINT NOT NULL DEFAULT 1",),
}


def creation() -> list[str]:
    """The statements that make the tables of a new database."""
    text = files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
    bare = "\n".join(line.partition("--")[0] for line in text.splitlines())
    return [statement.strip() for statement in bare.split(";") if statement.strip()]

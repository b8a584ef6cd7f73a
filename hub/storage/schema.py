"""The hub's database schema: ``schema.sql`` for a new one, migration steps for earlier versions.

The version stands in the clock's row. The steps are the same SQL for SQLite and PostgreSQL. The README beside
this file says how one is added.
"""

from __future__ import annotations

from importlib.resources import files

VERSION = 3  # of schema.sql

# The statements that bring a database of this version to the next one; they happen together or not at all.
STEPS: dict[int, tuple[str, ...]] = {
    # The first hubs wrote no version.
    1: ("ALTER TABLE clock ADD COLUMN schema_version BIGINT NOT NULL DEFAULT 1",),
    # Results are checked by the rules; the order of matches and decisions is not that of wall clocks.
    2: (
        "ALTER TABLE matches ADD COLUMN checked TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE matches ADD COLUMN nth BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE matches ADD COLUMN entries BIGINT NOT NULL DEFAULT 0",
        "UPDATE matches SET entries = (SELECT coalesce(max(n), 0) FROM log WHERE at <= matches.began)",
        "CREATE TABLE set_aside (box TEXT NOT NULL REFERENCES boxes (box), match TEXT NOT NULL,"
        " at TEXT NOT NULL, why TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (box, match))",
    ),
}


def creation() -> list[str]:
    """The statements that make the tables of a new database."""
    text = files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
    bare = "\n".join(line.partition("--")[0] for line in text.splitlines())
    return [statement.strip() for statement in bare.split(";") if statement.strip()]

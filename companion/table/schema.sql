-- Everything one table remembers. "events" is the truth; "matches" and "snapshots" can be made again from it.

CREATE TABLE matches (
    id       TEXT PRIMARY KEY,
    game     TEXT NOT NULL,
    mode     TEXT NOT NULL,
    began    TEXT NOT NULL,
    finished TEXT
) STRICT;

CREATE TABLE events (
    position    INTEGER PRIMARY KEY,  -- counts from 1 over all matches, in the order of storing
    match       TEXT NOT NULL REFERENCES matches (id),
    seq         INTEGER NOT NULL CHECK (seq >= 1),
    at          TEXT NOT NULL,
    kind        TEXT NOT NULL,
    data        TEXT NOT NULL,  -- JSON
    seat        INTEGER,
    actor       TEXT NOT NULL,  -- JSON
    device_uid  TEXT,
    device_boot TEXT,
    device_n    INTEGER,
    prev        TEXT NOT NULL,
    hash        TEXT NOT NULL,
    UNIQUE (match, seq),
    CHECK ((device_uid IS NULL) = (device_boot IS NULL) AND (device_uid IS NULL) = (device_n IS NULL))
) STRICT;

-- One roll of one device happens once, whatever match it was for.
CREATE UNIQUE INDEX one_event_a_device_fact ON events (device_uid, device_boot, device_n)
    WHERE device_uid IS NOT NULL;

-- What somebody was told about an action, so that sending it twice does it once.
CREATE TABLE answers (
    actor  TEXT NOT NULL,
    key    TEXT NOT NULL,
    digest TEXT NOT NULL,
    match  TEXT NOT NULL,
    seq    INTEGER NOT NULL,
    PRIMARY KEY (actor, key),
    FOREIGN KEY (match, seq) REFERENCES events (match, seq)
) STRICT;

CREATE TABLE snapshots (
    match TEXT NOT NULL,
    seq   INTEGER NOT NULL,
    hash  TEXT NOT NULL,
    state TEXT NOT NULL,  -- JSON
    PRIMARY KEY (match, seq),
    FOREIGN KEY (match, seq) REFERENCES events (match, seq)
) STRICT;

-- Only a digest of a seat's secret is kept: whoever reads this file cannot play.
CREATE TABLE seats (
    match TEXT NOT NULL REFERENCES matches (id),
    seat  INTEGER NOT NULL,
    token TEXT NOT NULL,  -- SHA-256
    PRIMARY KEY (match, seat),
    UNIQUE (match, token)
) STRICT;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

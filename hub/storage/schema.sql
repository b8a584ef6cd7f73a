-- What a club's hub keeps: the same for SQLite and PostgreSQL. Times are ISO 8601 text, keys and hashes are hex.

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- One row: every change that pages show takes the next number here, in its own transaction, so that numbers are
-- seen in order. Beside it stands which version of these tables the database has (schema.py).
CREATE TABLE clock (
    id             INTEGER PRIMARY KEY,
    version        BIGINT NOT NULL,
    schema_version BIGINT NOT NULL DEFAULT 1
);
INSERT INTO clock (id, version) VALUES (1, 0);

CREATE TABLE boxes (
    box     TEXT PRIMARY KEY,   -- its public key
    name    TEXT NOT NULL,
    number  BIGINT NOT NULL,    -- of the table
    paired  TEXT NOT NULL,
    left_at TEXT NOT NULL,      -- when it was replaced or sent away; empty: it belongs here
    batch   BIGINT NOT NULL,    -- the highest number of a batch so far
    seen    TEXT NOT NULL,
    help    TEXT NOT NULL,
    match   TEXT NOT NULL,      -- what is played there now
    version BIGINT NOT NULL
);

CREATE TABLE matches (
    box       TEXT NOT NULL REFERENCES boxes (box),
    match     TEXT NOT NULL,
    game      TEXT NOT NULL,
    began     TEXT NOT NULL,
    seq       BIGINT NOT NULL,
    hash      TEXT NOT NULL,
    fault     TEXT NOT NULL,    -- why the chain does not verify; empty: it does
    results   TEXT NOT NULL,    -- JSON, of the last record that had any; empty while it is played
    journal   TEXT NOT NULL,    -- the hash of the box's own journal then
    state     TEXT NOT NULL,    -- JSON: how it stands, for who looks on
    state_seq BIGINT NOT NULL,
    view      TEXT NOT NULL,    -- JSON: the position
    view_seq  BIGINT NOT NULL,
    version   BIGINT NOT NULL,
    checked   TEXT NOT NULL DEFAULT '', -- JSON: what the rules make of its records; empty: not looked at
    nth       BIGINT NOT NULL DEFAULT 0, -- the clock's number when it began: the order of matches
    entries   BIGINT NOT NULL DEFAULT 0, -- how many entries the log had when it began
    PRIMARY KEY (box, match)
);
CREATE INDEX matches_by_version ON matches (version);

CREATE TABLE records (
    box      TEXT NOT NULL,
    match    TEXT NOT NULL,
    seq      BIGINT NOT NULL,
    hash     TEXT NOT NULL,
    body     TEXT NOT NULL,     -- JSON, as the box sent it
    received TEXT NOT NULL,
    PRIMARY KEY (box, match, seq),
    FOREIGN KEY (box, match) REFERENCES matches (box, match)
);

-- Batches that could not be stored, for the organiser; a box sends no more of such a match.
CREATE TABLE set_aside (
    box   TEXT NOT NULL REFERENCES boxes (box),
    match TEXT NOT NULL,        -- the first of its records, or empty: it had none
    at    TEXT NOT NULL,
    why   TEXT NOT NULL,
    body  TEXT NOT NULL,        -- JSON, the beginning of it
    PRIMARY KEY (box, match)
);

-- What the organiser did: appended to, never changed, each entry bound to the one before.
CREATE TABLE log (
    n    BIGINT PRIMARY KEY,
    at   TEXT NOT NULL,
    who  TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,         -- JSON
    prev TEXT NOT NULL,
    hash TEXT NOT NULL
);

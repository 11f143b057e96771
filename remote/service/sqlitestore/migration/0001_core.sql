-- +goose Up

-- AUTOINCREMENT throughout: an id is never reused, even after its record is deleted (service
-- contract, section 5).

CREATE TABLE service (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    read_only INTEGER NOT NULL
) STRICT;
INSERT INTO service VALUES (1, 0);

CREATE TABLE tenant (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT    NOT NULL UNIQUE,
    root_url    TEXT    NOT NULL,
    public_url  TEXT    NOT NULL,
    processings INTEGER,
    orders      INTEGER NOT NULL
) STRICT;

CREATE TABLE tenant_host (
    host   TEXT    PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant   INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    name     TEXT    NOT NULL,
    key_hash BLOB    NOT NULL CHECK (length(key_hash) = 32),
    role     INTEGER NOT NULL,
    UNIQUE (tenant, name)
) STRICT;

-- kind: 1 category, 2 paper. The root of a tenant has no parent and an empty url name. Times are
-- seconds since 1970. Url names are ASCII, so NOCASE compares them as the contract requires.
CREATE TABLE node (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    parent      INTEGER REFERENCES node (id),
    kind        INTEGER NOT NULL CHECK (kind IN (1, 2)),
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    url_name    TEXT    NOT NULL COLLATE NOCASE,
    period_from INTEGER,
    period_to   INTEGER,
    UNIQUE (parent, url_name)
) STRICT;
CREATE UNIQUE INDEX node_root ON node (tenant) WHERE parent IS NULL;

CREATE TABLE setting (
    node  INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    name  TEXT    NOT NULL,
    value TEXT    NOT NULL,
    PRIMARY KEY (node, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE preview_token (
    token   TEXT    PRIMARY KEY,
    node    INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    expires INTEGER NOT NULL,
    ip      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX preview_token_node ON preview_token (node);
CREATE INDEX preview_token_expires ON preview_token (expires);

-- parent and dir are 0 for the root of the library, which has no record.
CREATE TABLE media_dir (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    parent      INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    UNIQUE (tenant, parent, folded_name)
) STRICT;

CREATE TABLE media_file (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    dir         INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    size        INTEGER NOT NULL,
    sha256      BLOB    NOT NULL CHECK (length(sha256) = 32),
    content     TEXT    NOT NULL UNIQUE,
    UNIQUE (tenant, dir, folded_name)
) STRICT;

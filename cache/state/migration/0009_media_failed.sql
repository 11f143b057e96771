-- A newer attempt at a path is a separate entry, added before the older one is removed: each
-- entry keeps its original content.

-- +goose Up
CREATE TABLE media_failed_entry (
    id     INTEGER PRIMARY KEY AUTOINCREMENT, -- its bytes are in failed/ID; one without them is none
    path   TEXT    NOT NULL,                  -- below media/; of several with one path the newest counts
    size   INTEGER NOT NULL,
    mode   INTEGER NOT NULL,
    mtime  INTEGER NOT NULL,
    reason TEXT    NOT NULL,                  -- for the user
    since  INTEGER NOT NULL
) STRICT;
INSERT INTO media_failed_entry SELECT id, path, size, mode, mtime, reason, since FROM media_failed;
DROP TABLE media_failed;
ALTER TABLE media_failed_entry RENAME TO media_failed;

-- +goose Down
CREATE TABLE media_failed_entry (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    path   TEXT    NOT NULL UNIQUE,
    size   INTEGER NOT NULL,
    mode   INTEGER NOT NULL,
    mtime  INTEGER NOT NULL,
    reason TEXT    NOT NULL,
    since  INTEGER NOT NULL
) STRICT;
INSERT OR REPLACE INTO media_failed_entry SELECT id, path, size, mode, mtime, reason, since FROM media_failed ORDER BY id;
DROP TABLE media_failed;
ALTER TABLE media_failed_entry RENAME TO media_failed;

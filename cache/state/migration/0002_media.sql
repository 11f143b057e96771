-- The state of the media store. Inodes and names are separate, so that a number survives
-- renames, overwrites and remounts, and a file can have several names.

-- +goose Up
CREATE TABLE media_inode (
    ino        INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
    kind       INTEGER NOT NULL,  -- 1 directory, 2 file, 3 symbolic link
    local      INTEGER NOT NULL,  -- 1: stays on this machine
    queued     INTEGER NOT NULL,  -- 1: closed, to be sent from the spool
    service_id INTEGER NOT NULL,  -- 0: not at the service
    size       INTEGER NOT NULL,  -- exact bytes at the service, -1 where unknown
    size_kb    INTEGER NOT NULL,  -- as the service tells it
    sha256     TEXT    NOT NULL,  -- lower-case hex, empty where unknown
    url        TEXT    NOT NULL,
    sent_mtime INTEGER NOT NULL,  -- what the content at the service shows; all times in Unix nanoseconds
    mode       INTEGER NOT NULL,  -- permission bits
    uid        INTEGER NOT NULL,  -- -1: the mount's owner
    gid        INTEGER NOT NULL,
    atime      INTEGER NOT NULL,
    mtime      INTEGER NOT NULL,
    ctime      INTEGER NOT NULL,
    target     TEXT    NOT NULL   -- of a symbolic link
) STRICT;

CREATE TABLE media_name (
    parent INTEGER NOT NULL, -- inode
    name   TEXT    NOT NULL,
    ino    INTEGER NOT NULL,
    PRIMARY KEY (parent, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_name_by_ino ON media_name (ino);

-- Content that could not be published; its bytes are in failed/ID.
CREATE TABLE media_failed (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    path   TEXT    NOT NULL UNIQUE, -- below media/; a newer attempt replaces the older
    size   INTEGER NOT NULL,
    mode   INTEGER NOT NULL,
    mtime  INTEGER NOT NULL,
    reason TEXT    NOT NULL,        -- for the user
    since  INTEGER NOT NULL
) STRICT;

-- Paths whose last upload had an unknown outcome: the next upload checks them first.
CREATE TABLE media_unknown (
    parent INTEGER NOT NULL, -- the service's directory id, 0 for the root
    name   TEXT    NOT NULL, -- case-folded
    PRIMARY KEY (parent, name)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE media_unknown;
DROP TABLE media_failed;
DROP TABLE media_name;
DROP TABLE media_inode;

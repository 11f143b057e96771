-- +goose Up

-- Single values, by their keys.
CREATE TABLE value (
    key   TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Names whose last upload had an unknown outcome: the next upload checks them first. Any version under the name that is
-- not the one of the note is of others.
CREATE TABLE media_unknown (
    parent INTEGER NOT NULL,            -- the service's directory id, 0 for the root
    name   TEXT    NOT NULL,            -- case-folded
    sha256 TEXT    NOT NULL DEFAULT '', -- of what was sent, lower-case hex; empty where unknown
    PRIMARY KEY (parent, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE preview (
    id    INTEGER PRIMARY KEY, -- in the order of making
    paper INTEGER NOT NULL,    -- node id
    token TEXT    NOT NULL,
    until INTEGER NOT NULL     -- Unix seconds, UTC
) STRICT;
CREATE INDEX preview_by_paper ON preview (paper, until);

CREATE TABLE job (
    guid   TEXT    NOT NULL UNIQUE,     -- lower case, without braces
    status TEXT    NOT NULL,            -- as GetProcessingStatus tells it
    paper  INTEGER,                     -- node id, where it was begun here
    reason TEXT    NOT NULL DEFAULT '', -- of a failure
    began  INTEGER NOT NULL DEFAULT 0   -- ns since 1970, so that status can show its age; 0: not begun here
) STRICT;
CREATE INDEX job_by_paper ON job (paper);
CREATE INDEX job_under_way ON job (began) WHERE status = 'Pending';

-- The PDF that was last sent for a paper.
CREATE TABLE source (
    paper   INTEGER PRIMARY KEY,        -- node id
    sha256  TEXT    NOT NULL,           -- lower-case hex
    size    INTEGER NOT NULL,           -- bytes
    written INTEGER NOT NULL,           -- Unix nanoseconds, UTC
    guid    TEXT    NOT NULL DEFAULT '' -- of its job, where the service told it
) STRICT;

-- Small queued content, written in the same transaction as the row that queues it: one sync of the log makes both durable, and
-- the file of the spool need not be synced.
CREATE TABLE media_copy (
    ino     INTEGER PRIMARY KEY,
    content BLOB    NOT NULL
) STRICT;

-- Inodes of the media store in runs of sixteen: loading or reading a large tree writes and reads few rows, and a change still
-- rewrites one page. cache/content/journal/block.go describes the format.
CREATE TABLE media_block (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- of the inodes in it, without the last four bits; never used anew
    inodes BLOB    NOT NULL
) STRICT;

-- Content that could not be published. A newer attempt at a path is a separate entry, added before the older one is removed:
-- each entry keeps its original content. An entry belongs to its paper or, before that is made, to a name in a category, whatever these
-- are called by now.
CREATE TABLE media_failed (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- its bytes are in failed/ID; an entry without them is none
    path       TEXT    NOT NULL,                  -- below media/, with a slash before papers/; of several with one path the newest counts
    size       INTEGER NOT NULL,
    mode       INTEGER NOT NULL,
    mtime      INTEGER NOT NULL,
    reason     TEXT    NOT NULL,                  -- for the user
    since      INTEGER NOT NULL,
    base       BLOB,                              -- what the service had at the path, so that other content there is newer: id, bytes, KB and SHA-256; NULL where it is not known
    paper      INTEGER NOT NULL DEFAULT 0,        -- node id, of a PDF
    unfinished INTEGER NOT NULL DEFAULT 0,        -- 1: the content may be incomplete
    overtaken  INTEGER NOT NULL DEFAULT 0,        -- 1: a later PDF was sent to the paper; a retry of all entries skips both
    spool      TEXT    NOT NULL DEFAULT '',       -- INO-SERIAL, '': not known
    suffix     TEXT    NOT NULL DEFAULT '',       -- such as ' (older)'
    dir        INTEGER NOT NULL DEFAULT 0         -- node id of the category of a PDF beside a paper, 0: source.pdf, or not known
) STRICT;

-- Content that is being written, or is queued, for a paper: its PDF. The row exists before the content.
CREATE TABLE media_draft (
    ino      INTEGER PRIMARY KEY,         -- in the names of its files in spool/; without one it is none
    paper    INTEGER NOT NULL,            -- node id
    path     TEXT    NOT NULL,            -- from the root of the mount
    spool    INTEGER NOT NULL DEFAULT 0,  -- serial of the queued content, 0: nothing is queued
    dir      INTEGER NOT NULL DEFAULT 0,  -- node id of the category of a PDF beside a paper, 0: it is source.pdf
    written  INTEGER NOT NULL DEFAULT 0,  -- ns since 1970
    again    INTEGER NOT NULL DEFAULT 0,  -- 1: it may be what was sent before, so that nothing tells whether it was sent since
    isnew    INTEGER NOT NULL DEFAULT 0,  -- 1: there was no paper of its name; one that others make is not replaced
    making   INTEGER NOT NULL DEFAULT 0,  -- 1: an attempt may have made the paper
    size     INTEGER NOT NULL DEFAULT 0,  -- bytes of the queued content, 0: not known
    seen     TEXT    NOT NULL DEFAULT '', -- the known pages of the paper when the content was queued, as cache/document tells them; '': not known
    measured TEXT    NOT NULL DEFAULT '', -- what must be known of the content before it is sent (remote.Measure); '': not known
    draft    INTEGER NOT NULL DEFAULT 0   -- serial of the newest spool, 0: its name has the number of the PDF
) STRICT;

-- PDFs that were sent before the last one. If the service cannot process the last one, the newest of them that it could process
-- becomes the source.pdf of the paper.
CREATE TABLE source_before (
    id      INTEGER PRIMARY KEY, -- the order in which they were sent
    paper   INTEGER NOT NULL,    -- node id
    guid    TEXT    NOT NULL,
    sha256  TEXT    NOT NULL,    -- lower-case hex
    size    INTEGER NOT NULL,    -- bytes
    written INTEGER NOT NULL     -- Unix nanoseconds, UTC
) STRICT;
CREATE INDEX source_before_paper ON source_before (paper);

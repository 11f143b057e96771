-- Content that is being written for something outside of media/: a paper's PDF. The row
-- exists before the content.

-- +goose Up
CREATE TABLE media_draft (
    ino   INTEGER PRIMARY KEY, -- in the names of its files in spool/; without one it is none
    paper INTEGER NOT NULL,    -- node id
    path  TEXT    NOT NULL     -- from the root of the mount
) STRICT;

-- +goose Down
DROP TABLE media_draft;

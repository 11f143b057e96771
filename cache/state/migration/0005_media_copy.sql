-- Small queued content, written in the same transaction as the row that queues it: one sync
-- of the log makes both durable, and the spool's file need not be synced.

-- +goose Up
CREATE TABLE media_copy (
    ino     INTEGER PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;

-- +goose Down
DROP TABLE media_copy;

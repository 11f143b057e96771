-- +goose Up

-- Contents that are not files next to the database, such as objects in a bucket.
CREATE TABLE content (
  key TEXT PRIMARY KEY,
  state INTEGER NOT NULL, -- 0 intended, 1 kept, 2 given up, 3 dropped
  since INTEGER NOT NULL  -- milliseconds since 1970, by the clock of the database
) WITHOUT ROWID;
CREATE INDEX content_leftover ON content (since) WHERE state <> 1;

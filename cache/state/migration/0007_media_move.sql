-- Renames of published files that are under way: an upload under the new name
-- and the deletion of the old one.

-- +goose Up
CREATE TABLE media_move (
    ino  INTEGER PRIMARY KEY,
    dir  INTEGER NOT NULL, -- inode of the new directory
    name TEXT    NOT NULL  -- the new name
) STRICT;

-- +goose Down
DROP TABLE media_move;

-- The note of an upload tells of a move that a kill cut.

-- +goose Up
DROP TABLE media_move;

-- +goose Down
CREATE TABLE media_move (
    ino  INTEGER PRIMARY KEY,
    dir  INTEGER NOT NULL, -- inode of the new directory
    name TEXT    NOT NULL  -- the new name
) STRICT;

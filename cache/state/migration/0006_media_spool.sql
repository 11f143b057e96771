-- A queued file that is being written again has two spools.

-- +goose Up
ALTER TABLE media_inode ADD COLUMN spool INTEGER NOT NULL DEFAULT 0; -- of a queued file: serial of its queued spool, 0 for the newest

-- +goose Down
ALTER TABLE media_inode DROP COLUMN spool;

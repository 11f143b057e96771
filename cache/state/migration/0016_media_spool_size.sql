-- How long content is that only this machine has: in media_block, after the serial of
-- its spool and a colon. Which spool is in failed/ tells it from one that was lost.

-- +goose Up
ALTER TABLE media_failed ADD COLUMN spool TEXT NOT NULL DEFAULT ''; -- INO-SERIAL, '': not known

-- +goose Down
ALTER TABLE media_failed DROP COLUMN spool;

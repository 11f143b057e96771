-- The length of content that only this machine has: in media_block, after the serial number
-- of its spool and a colon. media_failed.spool names the spool that is in failed/, to
-- distinguish it from a lost one.

-- +goose Up
ALTER TABLE media_failed ADD COLUMN spool TEXT NOT NULL DEFAULT ''; -- INO-SERIAL, '': not known

-- +goose Down
ALTER TABLE media_failed DROP COLUMN spool;

-- Content in failed/ that `paperfs retry` of all entries skips: content that may be
-- incomplete, and a PDF of a paper to which a later one was sent.

-- +goose Up
ALTER TABLE media_failed ADD COLUMN paper INTEGER NOT NULL DEFAULT 0; -- node id, of a PDF
ALTER TABLE media_failed ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0; -- 0 or 1
ALTER TABLE media_failed ADD COLUMN overtaken INTEGER NOT NULL DEFAULT 0; -- 0 or 1

-- +goose Down
ALTER TABLE media_failed DROP COLUMN paper;
ALTER TABLE media_failed DROP COLUMN unfinished;
ALTER TABLE media_failed DROP COLUMN overtaken;

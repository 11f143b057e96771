-- Which paper a queued PDF may go to if there was no paper when it was written.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN isnew INTEGER NOT NULL DEFAULT 0; -- 1: there was no paper of its name; one that others make is not replaced
ALTER TABLE media_draft ADD COLUMN making INTEGER NOT NULL DEFAULT 0; -- 1: an attempt may have made the paper

-- +goose Down
ALTER TABLE media_draft DROP COLUMN isnew;
ALTER TABLE media_draft DROP COLUMN making;

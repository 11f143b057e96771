-- The length of a queued PDF, so that the next mount does not send a truncated one.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN size INTEGER NOT NULL DEFAULT 0; -- bytes of the queued content, 0: not known

-- +goose Down
ALTER TABLE media_draft DROP COLUMN size;

-- How long a queued PDF is, so that the next mount does not send what is left of one.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN size INTEGER NOT NULL DEFAULT 0; -- bytes of the queued content, 0: not known

-- +goose Down
ALTER TABLE media_draft DROP COLUMN size;

-- What a paper was known to have when a PDF was queued for it, so that a later one of others is
-- not replaced.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN seen TEXT NOT NULL DEFAULT ''; -- as cache/document tells it, '': not known

-- +goose Down
ALTER TABLE media_draft DROP COLUMN seen;

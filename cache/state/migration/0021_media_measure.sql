-- What must be known of queued content before it is sent, such as its SHA-256 (see
-- remote.Measure), so that the next mount does not read the content again. In media_block it
-- follows the size of the content, after a colon.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN measured TEXT NOT NULL DEFAULT ''; -- '': not known

-- +goose Down
ALTER TABLE media_draft DROP COLUMN measured;

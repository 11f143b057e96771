-- What has to be known of queued content before it is sent, so that the next mount does not read
-- it once for that: its SHA-256 and more, as remote.Measure tells it. In media_block it follows the
-- size of the content, after a colon.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN measured TEXT NOT NULL DEFAULT ''; -- '': not known

-- +goose Down
ALTER TABLE media_draft DROP COLUMN measured;

-- What the service had at the path when content could not be published. If it has other
-- content now, that is newer.

-- +goose Up
ALTER TABLE media_failed ADD COLUMN base BLOB; -- id, bytes, KB and SHA-256; NULL where it is not known

-- +goose Down
ALTER TABLE media_failed DROP COLUMN base;

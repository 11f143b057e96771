-- The note of an upload tells what it sends: any other version under its name is of others.

-- +goose Up
ALTER TABLE media_unknown ADD COLUMN sha256 TEXT NOT NULL DEFAULT ''; -- lower-case hex, empty where unknown

-- +goose Down
ALTER TABLE media_unknown DROP COLUMN sha256;

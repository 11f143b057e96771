-- +goose Up

-- The key before the last rotation, and until when it is still good (seconds
-- since 1970). NULL, both: no other key than key_hash.
ALTER TABLE account ADD COLUMN old_key_hash BLOB CHECK (length(old_key_hash) = 32);
ALTER TABLE account ADD COLUMN old_key_until INTEGER;

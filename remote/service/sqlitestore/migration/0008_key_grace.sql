-- +goose Up

-- The key before the last rotation, and the time until which it is valid (seconds since 1970).
-- Both NULL: only key_hash is valid.
ALTER TABLE account ADD COLUMN old_key_hash BLOB CHECK (length(old_key_hash) = 32);
ALTER TABLE account ADD COLUMN old_key_until INTEGER;

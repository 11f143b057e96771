-- +goose Up

-- Links that an import set: their products need not be in any product table. For older links the
-- origin is unknown, so their products must be in the newest table.
ALTER TABLE link ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;

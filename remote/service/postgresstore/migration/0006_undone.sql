-- +goose Up

-- 1 once how it was before has come back: what brings back all passes over the entry.
ALTER TABLE kept ADD COLUMN undone smallint NOT NULL DEFAULT 0 CHECK (undone IN (0, 1));

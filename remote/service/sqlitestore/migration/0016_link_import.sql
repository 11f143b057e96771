-- +goose Up

-- Links that an import brought: no table of products has to have what they show. Of
-- links from before nobody knows, and what is sold has to be in the newest table.
ALTER TABLE link ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;

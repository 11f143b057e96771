-- +goose Up

-- The account whose call made the change; empty for what the service or its operator did.
ALTER TABLE event ADD COLUMN account text COLLATE "C" NOT NULL DEFAULT '';

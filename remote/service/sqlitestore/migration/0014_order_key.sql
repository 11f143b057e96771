-- +goose Up

-- The key that an order of the reader came with: the same key is the same order.
ALTER TABLE purchase ADD COLUMN key TEXT;
CREATE UNIQUE INDEX purchase_key ON purchase (node, key) WHERE key IS NOT NULL;

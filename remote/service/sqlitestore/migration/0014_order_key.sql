-- +goose Up

-- The key that an order was placed with: the same key means the same order.
ALTER TABLE purchase ADD COLUMN key TEXT;
CREATE UNIQUE INDEX purchase_key ON purchase (node, key) WHERE key IS NOT NULL;

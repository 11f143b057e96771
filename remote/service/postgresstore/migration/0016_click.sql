-- +goose Up

-- What the links of a page lead to is counted beside the page: target is '' for a view of the page itself.
ALTER TABLE pageview ADD COLUMN target text COLLATE "C" NOT NULL DEFAULT '', DROP CONSTRAINT pageview_pkey, ADD PRIMARY KEY (node, day, page, target);

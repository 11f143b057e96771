-- +goose Up

-- The titles of the bookmarks that lead to a page, one a line, with a tab for each
-- bookmark above it.
ALTER TABLE page ADD COLUMN title TEXT NOT NULL DEFAULT '';

-- Where the text of a page lies, as readers get it: JSON, compressed with gzip. A page
-- that was made before this table has no record.
CREATE TABLE page_layer (
    page  INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    layer BLOB    NOT NULL
) STRICT;

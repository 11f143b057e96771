-- +goose Up

-- The titles of the bookmarks that lead to a page, one per line, indented by one tab for each
-- parent bookmark.
ALTER TABLE page ADD COLUMN title TEXT NOT NULL DEFAULT '';

-- The positions of a page's text, as readers receive them: JSON, compressed with gzip. A page
-- that was made before this table existed has no record.
CREATE TABLE page_layer (
    page  INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    layer BLOB    NOT NULL
) STRICT;

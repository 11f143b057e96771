-- The known pages of a paper when a PDF was queued for it, so that the PDF does not replace a
-- later one of somebody else.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN seen TEXT NOT NULL DEFAULT ''; -- as cache/document tells it, '': not known

-- +goose Down
ALTER TABLE media_draft DROP COLUMN seen;

-- The name of a PDF's spool is its serial, as that of any other spool.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN draft INTEGER NOT NULL DEFAULT 0; -- serial of the newest spool, 0: its name has the number of the PDF

-- +goose Down
ALTER TABLE media_draft DROP COLUMN draft;

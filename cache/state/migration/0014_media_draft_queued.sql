-- PDFs of papers that a close has queued, with --write-back.

-- +goose Up
ALTER TABLE media_draft ADD COLUMN spool INTEGER NOT NULL DEFAULT 0; -- serial of the queued content, 0: nothing is queued
ALTER TABLE media_draft ADD COLUMN dir INTEGER NOT NULL DEFAULT 0; -- node id of the category of a PDF beside a paper, 0: it is source.pdf
ALTER TABLE media_draft ADD COLUMN written INTEGER NOT NULL DEFAULT 0; -- ns since 1970
ALTER TABLE media_draft ADD COLUMN again INTEGER NOT NULL DEFAULT 0; -- 1: it may be what was sent before, so that nothing tells whether it was sent since

-- +goose Down
ALTER TABLE media_draft DROP COLUMN spool;
ALTER TABLE media_draft DROP COLUMN dir;
ALTER TABLE media_draft DROP COLUMN written;
ALTER TABLE media_draft DROP COLUMN again;

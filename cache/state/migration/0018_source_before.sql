-- PDFs that were sent before the last one. If the service cannot process the last one, the
-- newest of them that it could process becomes the paper's source.pdf.

-- +goose Up
ALTER TABLE source ADD COLUMN guid TEXT NOT NULL DEFAULT ''; -- of its job, where the service told it
CREATE TABLE source_before (
    id      INTEGER PRIMARY KEY,       -- the order in which they were sent
    paper   INTEGER NOT NULL,          -- node id
    guid    TEXT    NOT NULL,
    sha256  TEXT    NOT NULL,          -- lower-case hex
    size    INTEGER NOT NULL,          -- bytes
    written INTEGER NOT NULL           -- Unix nanoseconds, UTC
) STRICT;
CREATE INDEX source_before_paper ON source_before (paper);

-- +goose Down
DROP TABLE source_before;
ALTER TABLE source DROP COLUMN guid;

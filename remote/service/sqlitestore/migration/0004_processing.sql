-- +goose Up

CREATE TABLE secret (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE job ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- The work of a pending job, in the order of the queue; removed when the job ends. A pending job
-- without work came from an import: another system processes it.
CREATE TABLE job_work (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    job      TEXT    NOT NULL UNIQUE REFERENCES job (guid) ON DELETE CASCADE,
    pdf      TEXT    NOT NULL,
    pdf_size INTEGER NOT NULL,
    options  TEXT    NOT NULL,
    attempts INTEGER NOT NULL
) STRICT;

-- Keys of the contents that are stored for a paper: its PDF, and the images of all its pages,
-- concatenated.
CREATE TABLE rendition (
    node     INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    pdf      TEXT    NOT NULL UNIQUE,
    pdf_size INTEGER NOT NULL,
    images   TEXT    NOT NULL UNIQUE
) STRICT;

-- If bytes is not 0, the image is in the images of the paper's rendition, from start on, and has
-- no URL.
ALTER TABLE image ADD COLUMN start  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE image ADD COLUMN bytes  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE image ADD COLUMN width  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE image ADD COLUMN height INTEGER NOT NULL DEFAULT 0;

-- The trigrams of the phrases. The phrases are already folded, so the index folds nothing. It has
-- no positions, so each hit must be compared. Whatever inserts into page_phrase also inserts
-- here: a trigger would write every page to the disk separately. Deletions use a trigger, which
-- also works when a page is deleted with its paper.
CREATE VIRTUAL TABLE page_index USING fts5 (
    phrase, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'
);
INSERT INTO page_index (rowid, phrase) SELECT page, phrase FROM page_phrase;

-- +goose StatementBegin
CREATE TRIGGER page_phrase_gone AFTER DELETE ON page_phrase BEGIN
    DELETE FROM page_index WHERE rowid = old.page;
END;
-- +goose StatementEnd

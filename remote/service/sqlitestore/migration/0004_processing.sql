-- +goose Up

CREATE TABLE secret (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE job ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- What a pending job has to do, in the order of the queue; gone when it ended.
-- A pending job without it came from an import: it is another system's.
CREATE TABLE job_work (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    job      TEXT    NOT NULL UNIQUE REFERENCES job (guid) ON DELETE CASCADE,
    pdf      TEXT    NOT NULL,
    pdf_size INTEGER NOT NULL,
    options  TEXT    NOT NULL,
    attempts INTEGER NOT NULL
) STRICT;

-- Keys of the contents that are kept for a paper: its PDF, and the images of
-- all its pages one behind the other.
CREATE TABLE rendition (
    node     INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    pdf      TEXT    NOT NULL UNIQUE,
    pdf_size INTEGER NOT NULL,
    images   TEXT    NOT NULL UNIQUE
) STRICT;

-- Where bytes is not 0, the image lies in the images of the paper's rendition,
-- from start on, and has no address of its own.
ALTER TABLE image ADD COLUMN start  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE image ADD COLUMN bytes  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE image ADD COLUMN width  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE image ADD COLUMN height INTEGER NOT NULL DEFAULT 0;

-- Which phrases have which three characters in a row. The phrases are folded
-- already, so the index folds nothing. It knows no places: a hit has to be
-- compared. Who adds to page_phrase adds here: a trigger would have every page
-- written to the disk by itself. What goes, goes by a trigger, also where a
-- page goes with its paper.
CREATE VIRTUAL TABLE page_index USING fts5 (
    phrase, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'
);
INSERT INTO page_index (rowid, phrase) SELECT page, phrase FROM page_phrase;

-- +goose StatementBegin
CREATE TRIGGER page_phrase_gone AFTER DELETE ON page_phrase BEGIN
    DELETE FROM page_index WHERE rowid = old.page;
END;
-- +goose StatementEnd

-- PDFs that were sent from this machine, and the paper of each job.

-- +goose Up
CREATE TABLE source (
    paper   INTEGER PRIMARY KEY, -- node id
    sha256  TEXT    NOT NULL,    -- lower-case hex
    size    INTEGER NOT NULL,    -- bytes
    written INTEGER NOT NULL     -- Unix nanoseconds, UTC
) STRICT;
ALTER TABLE job ADD COLUMN paper INTEGER; -- node id, where it was begun here
ALTER TABLE job ADD COLUMN reason TEXT NOT NULL DEFAULT ''; -- of a failure
CREATE INDEX job_by_paper ON job (paper);

-- +goose Down
DROP INDEX job_by_paper;
ALTER TABLE job DROP COLUMN reason;
ALTER TABLE job DROP COLUMN paper;
DROP TABLE source;

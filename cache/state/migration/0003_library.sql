-- Preview links created and jobs seen on this machine: no operation of the service lists
-- them.

-- +goose Up
CREATE TABLE preview (
    id    INTEGER PRIMARY KEY, -- in the order of making
    paper INTEGER NOT NULL,    -- node id
    token TEXT    NOT NULL,
    until INTEGER NOT NULL     -- Unix seconds, UTC
) STRICT;
CREATE INDEX preview_by_paper ON preview (paper, until);

CREATE TABLE job (
    guid   TEXT NOT NULL UNIQUE, -- lower case, without braces
    status TEXT NOT NULL         -- as GetProcessingStatus tells it
) STRICT;

-- +goose Down
DROP TABLE job;
DROP TABLE preview;

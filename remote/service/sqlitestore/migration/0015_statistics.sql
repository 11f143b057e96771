-- +goose Up

-- How often each page of a paper was viewed on a day, and how many visits began. Days are in UTC,
-- counted from 1970-01-01.
CREATE TABLE pageview (
    node  INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day   INTEGER NOT NULL,
    page  INTEGER NOT NULL,
    views INTEGER NOT NULL,
    PRIMARY KEY (node, day, page)
) STRICT, WITHOUT ROWID;
CREATE TABLE visit (
    node   INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day    INTEGER NOT NULL,
    visits INTEGER NOT NULL,
    PRIMARY KEY (node, day)
) STRICT, WITHOUT ROWID;

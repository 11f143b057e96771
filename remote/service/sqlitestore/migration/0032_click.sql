-- +goose Up

-- What the links of a page lead to is counted beside the page: target is '' for a view of the page itself.
CREATE TABLE counted (
    node   INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day    INTEGER NOT NULL,
    page   INTEGER NOT NULL,
    target TEXT    NOT NULL,
    views  INTEGER NOT NULL,
    PRIMARY KEY (node, day, page, target)
) STRICT, WITHOUT ROWID;
INSERT INTO counted SELECT node, day, page, '', views FROM pageview;
DROP TABLE pageview;
ALTER TABLE counted RENAME TO pageview;

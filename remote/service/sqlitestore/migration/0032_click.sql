-- +goose Up

-- How often the links of a page were followed on a day, by what people call the target.
CREATE TABLE click (
    node   INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    day    INTEGER NOT NULL,
    page   INTEGER NOT NULL,
    target TEXT    NOT NULL,
    clicks INTEGER NOT NULL,
    PRIMARY KEY (node, day, page, target)
) STRICT, WITHOUT ROWID;

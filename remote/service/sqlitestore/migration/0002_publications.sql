-- +goose Up

-- The parts of a paper and what is attached to it. Times are seconds since 1970.

CREATE TABLE page (
    id            INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    node          INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL CHECK (number > 0),
    part_of_index INTEGER NOT NULL,
    text          TEXT    NOT NULL,
    UNIQUE (node, number)
) STRICT;

-- The text of a page, normalized for comparison with queries. It is a separate table, so that the
-- index can be replaced.
CREATE TABLE page_phrase (
    page   INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
    phrase TEXT NOT NULL
) STRICT;

-- type: 1 Zoom, 2 Normal, 3 Thumb. The URL is outside the service.
CREATE TABLE image (
    page    INTEGER NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    type    INTEGER NOT NULL CHECK (type IN (1, 2, 3)),
    size_kb INTEGER NOT NULL,
    url     TEXT    NOT NULL,
    PRIMARY KEY (page, type)
) STRICT, WITHOUT ROWID;

CREATE TABLE processing (
    node   INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    at     INTEGER NOT NULL,
    pdf_kb INTEGER NOT NULL
) STRICT;

CREATE TABLE link (
    node           INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    ordinal        INTEGER NOT NULL,
    page           INTEGER NOT NULL,
    x              REAL    NOT NULL,
    y              REAL    NOT NULL,
    width          REAL    NOT NULL,
    height         REAL    NOT NULL,
    alt_text       TEXT    NOT NULL,
    url            TEXT    NOT NULL,
    style_name     TEXT    NOT NULL,
    shape_type     TEXT    NOT NULL,
    polygon_coords TEXT    NOT NULL,
    link_type      TEXT    NOT NULL,
    file_id        TEXT    NOT NULL,
    target         TEXT    NOT NULL,
    use_mask       INTEGER NOT NULL,
    param          TEXT    NOT NULL,
    PRIMARY KEY (node, ordinal)
) STRICT, WITHOUT ROWID;

-- Orders and jobs do not reference node: they outlive their paper, whose id is never reused.

CREATE TABLE purchase (
    id            INTEGER PRIMARY KEY,
    tenant        INTEGER NOT NULL REFERENCES tenant (id),
    order_id      TEXT    NOT NULL,
    node          INTEGER NOT NULL,
    date          INTEGER NOT NULL,
    checkout_type TEXT    NOT NULL,
    UNIQUE (tenant, order_id)
) STRICT;
CREATE INDEX purchase_node ON purchase (node, date);
CREATE INDEX purchase_date ON purchase (tenant, date);

CREATE TABLE purchase_line (
    purchase    INTEGER NOT NULL REFERENCES purchase (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    product_id  TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    description TEXT    NOT NULL,
    price       TEXT    NOT NULL,
    amount      INTEGER NOT NULL,
    PRIMARY KEY (purchase, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    guid     TEXT    PRIMARY KEY,
    tenant   INTEGER NOT NULL REFERENCES tenant (id),
    node     INTEGER NOT NULL,
    created  INTEGER NOT NULL,
    progress INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 100),
    status   TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX job_pending ON job (node) WHERE status = 'Pending';

CREATE TABLE custom_field (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    UNIQUE (tenant, folded_name)
) STRICT;

-- No record means null.
CREATE TABLE custom_value (
    field INTEGER NOT NULL REFERENCES custom_field (id) ON DELETE CASCADE,
    node  INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    value TEXT    NOT NULL,
    PRIMARY KEY (field, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX custom_value_node ON custom_value (node);

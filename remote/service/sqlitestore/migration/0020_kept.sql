-- +goose Up

-- What changes took away. kind: 1 media file, 2 media directory, 3 paper or category, 4 PDF. thing is
-- the id, and version the version of what was there; parent, name and folded_name are its place.
-- became: NULL replaced, 0 deleted, or the file that it was moved over. Small content is in data. holds
-- is 0 where there is nothing to bring back: the row tells only that a file ended. at is in seconds since
-- 1970.
CREATE TABLE kept (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant      INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind        INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
    thing       INTEGER NOT NULL,
    parent      INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    account     TEXT    NOT NULL,
    became      INTEGER,
    holds       INTEGER NOT NULL CHECK (holds IN (0, 1)),
    size        INTEGER NOT NULL,
    sha256      BLOB    CHECK (length(sha256) = 32),
    content     TEXT    NOT NULL,
    data        BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX kept_content ON kept (content) WHERE content <> '';
CREATE INDEX kept_tenant ON kept (tenant);
CREATE INDEX kept_thing ON kept (thing, kind);
CREATE INDEX kept_ended ON kept (tenant, parent, folded_name) WHERE kind = 1 AND became = 0;

INSERT INTO kept (tenant, kind, thing, parent, name, folded_name, version, at, account, became, holds, size, sha256, content, data)
    SELECT tenant, 1, file, dir, folded_name, folded_name, 0, at, '', coalesce(became, 0), 0, 0, sha256, '', substr(sha256, 1, 0) FROM media_ended;
INSERT INTO kept (tenant, kind, thing, parent, name, folded_name, version, at, account, became, holds, size, sha256, content, data)
    SELECT p.tenant, 1, p.file, coalesce(f.dir, 0), coalesce(f.name, 'file ' || p.file), coalesce(f.folded_name, 'file ' || p.file), p.version, p.at, '', NULL,
        1, p.size, p.sha256, p.content, p.data
    FROM media_past p LEFT JOIN media_file f ON f.id = p.file ORDER BY p.at;
DROP TABLE media_ended;
DROP TABLE media_past;

-- For how many days what is taken away is kept, and how much of it at most; NULL: the default.
ALTER TABLE tenant ADD COLUMN keep_days INTEGER;
ALTER TABLE tenant ADD COLUMN keep_bytes INTEGER;

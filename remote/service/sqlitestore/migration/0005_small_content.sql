-- +goose Up

-- Small content is stored in media_content, and its file has no key. So content may now be empty
-- in several rows, which requires a new table. Its ids continue after the old ones, so that none
-- is reused.
CREATE TABLE media_file_new (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id <= 2147483647),
    tenant      INTEGER NOT NULL REFERENCES tenant (id),
    dir         INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    folded_name TEXT    NOT NULL,
    size        INTEGER NOT NULL,
    sha256      BLOB    NOT NULL CHECK (length(sha256) = 32),
    content     TEXT    NOT NULL,
    UNIQUE (tenant, dir, folded_name)
) STRICT;

INSERT INTO sqlite_sequence (name, seq) SELECT 'media_file_new', seq FROM sqlite_sequence WHERE name = 'media_file';
INSERT INTO media_file_new (id, tenant, dir, name, folded_name, size, sha256, content)
    SELECT id, tenant, dir, name, folded_name, size, sha256, content FROM media_file;
DROP TABLE media_file;
ALTER TABLE media_file_new RENAME TO media_file;
CREATE UNIQUE INDEX media_file_content ON media_file (content) WHERE content <> '';

CREATE TABLE media_content (
    file INTEGER PRIMARY KEY REFERENCES media_file (id) ON DELETE CASCADE,
    data BLOB    NOT NULL
) STRICT;

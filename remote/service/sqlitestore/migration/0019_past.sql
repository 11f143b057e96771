-- +goose Up

-- The contents that media files had within the last day. data has small content; of other content
-- it is empty. at is when it was replaced, in seconds since 1970.
CREATE TABLE media_past (
    file    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    tenant  INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    size    INTEGER NOT NULL,
    sha256  BLOB    NOT NULL CHECK (length(sha256) = 32),
    content TEXT    NOT NULL,
    data    BLOB    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (file, version)
) STRICT;
CREATE UNIQUE INDEX media_past_content ON media_past (content) WHERE content <> '';
CREATE INDEX media_past_at ON media_past (tenant, at);

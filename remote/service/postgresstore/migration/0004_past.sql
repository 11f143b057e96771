-- +goose Up

-- The contents that media files had within the last day. data has small content; of other content
-- it is empty. at is when it was replaced, in seconds since 1970.
CREATE TABLE media_past (
    file    bigint NOT NULL,
    version bigint NOT NULL,
    tenant  bigint NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    size    bigint NOT NULL,
    sha256  bytea  NOT NULL CHECK (length(sha256) = 32),
    content text   COLLATE "C" NOT NULL,
    data    bytea  NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (file, version)
);
CREATE UNIQUE INDEX media_past_content ON media_past (content) WHERE content <> '';
CREATE INDEX media_past_at ON media_past (tenant, at);

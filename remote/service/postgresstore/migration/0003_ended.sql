-- +goose Up

-- Media files that ended within the last day: deleted, or moved over another file, which became
-- their successor. at is in seconds since 1970.
CREATE TABLE media_ended (
    file        bigint PRIMARY KEY,
    tenant      bigint NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    dir         bigint NOT NULL,
    folded_name text   COLLATE "C" NOT NULL,
    sha256      bytea  NOT NULL,
    became      bigint,
    at          bigint NOT NULL
);
CREATE INDEX media_ended_place ON media_ended (tenant, dir, folded_name);
CREATE INDEX media_ended_at ON media_ended (tenant, at);

-- +goose Up

-- Media files that ended within the last day: deleted, or moved over another file, which became
-- their successor. at is in seconds since 1970.
CREATE TABLE media_ended (
    file        INTEGER PRIMARY KEY,
    tenant      INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    dir         INTEGER NOT NULL,
    folded_name TEXT    NOT NULL,
    sha256      BLOB    NOT NULL,
    became      INTEGER,
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX media_ended_place ON media_ended (tenant, dir, folded_name);
CREATE INDEX media_ended_at ON media_ended (tenant, at);

-- The address of a media file has its name.
-- +goose StatementBegin
CREATE TRIGGER media_file_renamed AFTER UPDATE OF name ON media_file WHEN NEW.name <> OLD.name BEGIN
    UPDATE edition SET number = random() WHERE node IN (SELECT node FROM link WHERE link_type = 'file' AND CAST(file_id AS INTEGER) = NEW.id);
END;
-- +goose StatementEnd

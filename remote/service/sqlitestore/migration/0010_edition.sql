-- +goose Up

-- Another random number whenever what readers see of a paper changes, beside what
-- stands in its node and settings: its pages, its links, and the media files that
-- these lead to. So a reader's page is known to be the same without being made. No
-- record: the paper never had a page or a link.
CREATE TABLE edition (
    node   INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    number INTEGER NOT NULL
) STRICT;
INSERT INTO edition SELECT id, random() FROM node WHERE kind = 2;

-- The name of a media file never changes, so it comes and goes.
CREATE INDEX link_file ON link (CAST(file_id AS INTEGER)) WHERE link_type = 'file';
-- +goose StatementBegin
CREATE TRIGGER media_file_linked AFTER INSERT ON media_file BEGIN
    UPDATE edition SET number = random() WHERE node IN (SELECT node FROM link WHERE link_type = 'file' AND CAST(file_id AS INTEGER) = NEW.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_file_unlinked AFTER DELETE ON media_file BEGIN
    UPDATE edition SET number = random() WHERE node IN (SELECT node FROM link WHERE link_type = 'file' AND CAST(file_id AS INTEGER) = OLD.id);
END;
-- +goose StatementEnd

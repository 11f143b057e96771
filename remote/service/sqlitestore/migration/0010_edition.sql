-- +goose Up

-- A random number that is replaced whenever something changes that readers see of a paper and
-- that is not in its node or settings: its pages, its links, and the media files that the links
-- lead to. With it, the service knows without rendering that a reader's page is unchanged. No
-- record: the paper never had a page or link.
CREATE TABLE edition (
    node   INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    number INTEGER NOT NULL
) STRICT;
INSERT INTO edition SELECT id, random() FROM node WHERE kind = 2;

-- Media files are never renamed, so only adding and deleting one matters.
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

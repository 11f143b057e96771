-- +goose Up

-- A random number that each change of the row replaces. It is never negative.
ALTER TABLE node ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE media_dir ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE media_file ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
UPDATE node SET version = random() & 9223372036854775807;
UPDATE media_dir SET version = random() & 9223372036854775807;
UPDATE media_file SET version = random() & 9223372036854775807;

-- Replaced whenever the edition of a paper changes: what a tree with versions depends on besides
-- the tree. accepted is the SHA-256 of the last PDF that was accepted for the paper, with its
-- options, size its bytes and job its job; NULL if none was since there are versions.
ALTER TABLE tenant ADD COLUMN edition_version INTEGER NOT NULL DEFAULT 0;
UPDATE tenant SET edition_version = random();
ALTER TABLE edition ADD COLUMN accepted BLOB;
ALTER TABLE edition ADD COLUMN size INTEGER;
ALTER TABLE edition ADD COLUMN job TEXT;
-- +goose StatementBegin
CREATE TRIGGER edition_added AFTER INSERT ON edition BEGIN
    UPDATE tenant SET edition_version = random() WHERE id = (SELECT tenant FROM node WHERE id = NEW.node);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER edition_changed AFTER UPDATE ON edition BEGIN
    UPDATE tenant SET edition_version = random() WHERE id = (SELECT tenant FROM node WHERE id = NEW.node);
END;
-- +goose StatementEnd

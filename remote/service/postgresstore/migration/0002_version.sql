-- +goose Up

-- A random number that each change of the row replaces. It is never negative. The default and the
-- trigger are for nodes that still run an older program: it knows no versions.
ALTER TABLE node ADD COLUMN version bigint NOT NULL DEFAULT (random() * 9007199254740991)::bigint;
ALTER TABLE media_dir ADD COLUMN version bigint NOT NULL DEFAULT (random() * 9007199254740991)::bigint;
ALTER TABLE media_file ADD COLUMN version bigint NOT NULL DEFAULT (random() * 9007199254740991)::bigint;
-- +goose StatementBegin
CREATE FUNCTION new_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := (random() * 9007199254740991)::bigint;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER new_version BEFORE UPDATE ON node FOR EACH ROW WHEN (NEW.version = OLD.version) EXECUTE FUNCTION new_version();
CREATE TRIGGER new_version BEFORE UPDATE ON media_dir FOR EACH ROW WHEN (NEW.version = OLD.version) EXECUTE FUNCTION new_version();
CREATE TRIGGER new_version BEFORE UPDATE ON media_file FOR EACH ROW WHEN (NEW.version = OLD.version) EXECUTE FUNCTION new_version();

-- Replaced whenever the edition of a paper changes: what a tree with versions depends on besides
-- the tree. accepted is the SHA-256 of the last PDF that was accepted for the paper, with its
-- options, size its bytes and job its job; NULL if none was since there are versions.
ALTER TABLE tenant ADD COLUMN edition_version bigint NOT NULL DEFAULT 0;
ALTER TABLE edition ADD COLUMN accepted bytea;
ALTER TABLE edition ADD COLUMN size bigint;
ALTER TABLE edition ADD COLUMN job text COLLATE "C";

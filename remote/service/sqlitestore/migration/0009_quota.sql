-- +goose Up

-- The limits of a tenant; NULL means no limit. The triggers that update the versions also count
-- the usage, so that no upload has to sum up all files.
ALTER TABLE tenant ADD COLUMN quota_media_bytes INTEGER;
ALTER TABLE tenant ADD COLUMN quota_papers INTEGER;
ALTER TABLE tenant ADD COLUMN quota_pdf_minutes INTEGER;
ALTER TABLE tenant ADD COLUMN media_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenant ADD COLUMN papers INTEGER NOT NULL DEFAULT 0;
UPDATE tenant SET
    media_bytes = coalesce((SELECT sum(size) FROM media_file WHERE media_file.tenant = tenant.id), 0),
    papers = (SELECT count(*) FROM node WHERE node.tenant = tenant.id AND kind = 2);

DROP TRIGGER node_added;
DROP TRIGGER node_deleted;
DROP TRIGGER media_file_added;
DROP TRIGGER media_file_changed;
DROP TRIGGER media_file_deleted;
-- +goose StatementBegin
CREATE TRIGGER node_added AFTER INSERT ON node BEGIN
    UPDATE tenant SET tree_version = random(), papers = papers + (NEW.kind = 2) WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER node_deleted AFTER DELETE ON node BEGIN
    UPDATE tenant SET tree_version = random(), papers = papers - (OLD.kind = 2) WHERE id = OLD.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_file_added AFTER INSERT ON media_file BEGIN
    UPDATE tenant SET media_version = random(), media_bytes = media_bytes + NEW.size WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_file_changed AFTER UPDATE ON media_file BEGIN
    UPDATE tenant SET media_version = random(), media_bytes = media_bytes + NEW.size - OLD.size WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_file_deleted AFTER DELETE ON media_file BEGIN
    UPDATE tenant SET media_version = random(), media_bytes = media_bytes - OLD.size WHERE id = OLD.tenant;
END;
-- +goose StatementEnd

-- Time that workers spent on a tenant's PDFs, per calendar month (2031-05, UTC).
CREATE TABLE pdf_time (
    tenant INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    month  TEXT    NOT NULL,
    ms     INTEGER NOT NULL,
    PRIMARY KEY (tenant, month)
) STRICT, WITHOUT ROWID;

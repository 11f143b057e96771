-- +goose Up

-- A version is a random number. A counter would reach the same numbers again after an older
-- database was restored, and cached answers would wrongly count as current.
ALTER TABLE tenant ADD COLUMN media_version INTEGER NOT NULL DEFAULT 0;
UPDATE tenant SET tree_version = random(), media_version = random();

DROP TRIGGER node_added;
DROP TRIGGER node_changed;
DROP TRIGGER node_deleted;
-- +goose StatementBegin
CREATE TRIGGER node_added AFTER INSERT ON node BEGIN
    UPDATE tenant SET tree_version = random() WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER node_changed AFTER UPDATE ON node BEGIN
    UPDATE tenant SET tree_version = random() WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER node_deleted AFTER DELETE ON node BEGIN
    UPDATE tenant SET tree_version = random() WHERE id = OLD.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_dir_added AFTER INSERT ON media_dir BEGIN
    UPDATE tenant SET media_version = random() WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_dir_changed AFTER UPDATE ON media_dir BEGIN
    UPDATE tenant SET media_version = random() WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_dir_deleted AFTER DELETE ON media_dir BEGIN
    UPDATE tenant SET media_version = random() WHERE id = OLD.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_file_added AFTER INSERT ON media_file BEGIN
    UPDATE tenant SET media_version = random() WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_file_changed AFTER UPDATE ON media_file BEGIN
    UPDATE tenant SET media_version = random() WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER media_file_deleted AFTER DELETE ON media_file BEGIN
    UPDATE tenant SET media_version = random() WHERE id = OLD.tenant;
END;
-- +goose StatementEnd

-- +goose Up

-- Every change of a tenant's nodes increments the version, so that a cached answer that depends
-- on the tree is valid while the version stays the same.
ALTER TABLE tenant ADD COLUMN tree_version INTEGER NOT NULL DEFAULT 0;

-- +goose StatementBegin
CREATE TRIGGER node_added AFTER INSERT ON node BEGIN
    UPDATE tenant SET tree_version = tree_version + 1 WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER node_changed AFTER UPDATE ON node BEGIN
    UPDATE tenant SET tree_version = tree_version + 1 WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER node_deleted AFTER DELETE ON node BEGIN
    UPDATE tenant SET tree_version = tree_version + 1 WHERE id = OLD.tenant;
END;
-- +goose StatementEnd

-- +goose Up

-- The log of changes: what of a tenant changed, in the order of the changes. kind: 0 an account (nobody is told of
-- it), 1 node, 2 media file, 3 media directory, 4 job, 5 setting, 6 entry of kept. thing is its id; of a job or
-- setting the node's, and name the GUID or the name of the setting. client is who made the change, if it wants not
-- to be told of it. at is in seconds since 1970. The newest row of a tenant is never removed. What is deleted with
-- its tenant has no row.
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind   INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 6),
    thing  INTEGER NOT NULL,
    name   TEXT    NOT NULL DEFAULT '',
    client TEXT    NOT NULL DEFAULT '',
    at     INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX event_tenant ON event (tenant, number);
INSERT INTO event (tenant, kind, thing) SELECT id, 0, 0 FROM tenant WHERE id <> 0;
-- +goose StatementBegin
CREATE TRIGGER event_node_added AFTER INSERT ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 1, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_node_changed AFTER UPDATE ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 1, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_node_deleted AFTER DELETE ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 1, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_media_file_added AFTER INSERT ON media_file BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 2, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_media_file_changed AFTER UPDATE ON media_file WHEN NEW.version <> OLD.version BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 2, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_media_file_deleted AFTER DELETE ON media_file BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 2, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_media_dir_added AFTER INSERT ON media_dir BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 3, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_media_dir_changed AFTER UPDATE ON media_dir WHEN NEW.version <> OLD.version BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 3, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_media_dir_deleted AFTER DELETE ON media_dir BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 3, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_kept_added AFTER INSERT ON kept BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 6, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_kept_changed AFTER UPDATE ON kept WHEN NEW.holds <> OLD.holds BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT NEW.tenant, 6, NEW.id, '' WHERE NEW.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_kept_deleted AFTER DELETE ON kept BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 6, OLD.id, '' WHERE OLD.tenant <> 0 AND OLD.tenant IN (SELECT id FROM tenant);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_node_left AFTER UPDATE ON node WHEN NEW.tenant <> OLD.tenant BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT OLD.tenant, 1, OLD.id, '' WHERE OLD.tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_setting_added AFTER INSERT ON setting BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 5, id, NEW.name FROM node WHERE id = NEW.node AND tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_setting_changed AFTER UPDATE ON setting BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 5, id, NEW.name FROM node WHERE id = NEW.node AND tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_setting_deleted AFTER DELETE ON setting BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 5, id, OLD.name FROM node WHERE id = OLD.node AND tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_edition_added AFTER INSERT ON edition BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 1, id, '' FROM node WHERE id = NEW.node AND tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_edition_changed AFTER UPDATE ON edition BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 1, id, '' FROM node WHERE id = NEW.node AND tenant <> 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_job_added AFTER INSERT ON job BEGIN
    INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 4, NEW.node, NEW.guid);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_job_changed AFTER UPDATE ON job WHEN NEW.status <> OLD.status BEGIN
    INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 4, NEW.node, NEW.guid);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_account_changed AFTER UPDATE ON account BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, NEW.id, '' FROM tenant WHERE id = NEW.tenant;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_account_deleted AFTER DELETE ON account BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, OLD.id, '' FROM tenant WHERE id = OLD.tenant;
END;
-- +goose StatementEnd

-- +goose Up

-- The log of changes: what of a tenant changed, in the order of the changes. kind: 0 an account (nobody is told of
-- it), 1 node, 2 media file, 3 media directory, 4 job, 5 setting, 6 entry of kept. thing is its id; of a job or
-- setting the node's, and name the GUID or the name of the setting. client is who made the change, if it wants not
-- to be told of it. at is in seconds since 1970. The newest row of a tenant is never removed. The numbers of a
-- tenant grow in the order of the commits, since a change holds the lock of its tenant.
CREATE TABLE event (
    number bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant bigint   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    kind   smallint NOT NULL CHECK (kind BETWEEN 0 AND 6),
    thing  bigint   NOT NULL,
    name   text     COLLATE "C" NOT NULL DEFAULT '',
    client text     COLLATE "C" NOT NULL DEFAULT '',
    at     bigint   NOT NULL DEFAULT extract(epoch FROM clock_timestamp())::bigint
);
CREATE INDEX event_tenant ON event (tenant, number);
INSERT INTO event (tenant, kind, thing) SELECT id, 0, 0 FROM tenant WHERE id <> 0;

-- A row that belongs to a tenant; the argument is the kind. What leaves a tenant changes for it, too;
-- what is deleted with its tenant has no row.
-- +goose StatementBegin
CREATE FUNCTION event_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.tenant <> 0 AND (TG_OP = 'DELETE' OR OLD.tenant <> NEW.tenant) THEN
        INSERT INTO event (tenant, kind, thing) SELECT id, TG_ARGV[0]::smallint, OLD.id FROM tenant WHERE id = OLD.tenant;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.tenant <> 0 THEN
        INSERT INTO event (tenant, kind, thing) VALUES (NEW.tenant, TG_ARGV[0]::smallint, NEW.id);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_row AFTER INSERT OR UPDATE OR DELETE ON node FOR EACH ROW EXECUTE FUNCTION event_row(1);
CREATE TRIGGER event_row AFTER INSERT OR DELETE ON media_file FOR EACH ROW EXECUTE FUNCTION event_row(2);
CREATE TRIGGER event_change AFTER UPDATE ON media_file FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION event_row(2);
CREATE TRIGGER event_row AFTER INSERT OR DELETE ON media_dir FOR EACH ROW EXECUTE FUNCTION event_row(3);
CREATE TRIGGER event_change AFTER UPDATE ON media_dir FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION event_row(3);
CREATE TRIGGER event_row AFTER INSERT OR DELETE ON kept FOR EACH ROW EXECUTE FUNCTION event_row(6);
CREATE TRIGGER event_change AFTER UPDATE ON kept FOR EACH ROW WHEN (NEW.holds <> OLD.holds) EXECUTE FUNCTION event_row(6);

-- What belongs to a node.
-- +goose StatementBegin
CREATE FUNCTION event_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name)
        SELECT tenant, 5, id, coalesce(NEW.name, OLD.name) FROM node WHERE id = coalesce(NEW.node, OLD.node) AND tenant <> 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_setting AFTER INSERT OR UPDATE OR DELETE ON setting FOR EACH ROW EXECUTE FUNCTION event_setting();
-- +goose StatementBegin
CREATE FUNCTION event_edition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing) SELECT tenant, 1, id FROM node WHERE id = NEW.node AND tenant <> 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_edition AFTER INSERT OR UPDATE ON edition FOR EACH ROW EXECUTE FUNCTION event_edition();
-- +goose StatementBegin
CREATE FUNCTION event_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 4, NEW.node, NEW.guid);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_job AFTER INSERT ON job FOR EACH ROW EXECUTE FUNCTION event_job();
CREATE TRIGGER event_change AFTER UPDATE ON job FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION event_job();
-- +goose StatementBegin
CREATE FUNCTION event_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing) SELECT id, 0, OLD.id FROM tenant WHERE id = OLD.tenant;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_account AFTER UPDATE OR DELETE ON account FOR EACH ROW EXECUTE FUNCTION event_account();

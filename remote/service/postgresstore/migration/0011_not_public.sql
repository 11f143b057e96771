-- +goose Up

-- The papers and categories that readers do not see: those whose setting public is false, and what inherits it. A change of the
-- setting or of a place brings it up to date (package records); a new node begins as its parent is.
CREATE TABLE not_public (
    node bigint PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE
);
-- +goose StatementBegin
CREATE FUNCTION not_public_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO not_public (node) SELECT NEW.id FROM not_public WHERE node = NEW.parent;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER not_public_added AFTER INSERT ON node FOR EACH ROW EXECUTE FUNCTION not_public_added();

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION told_published(tenant bigint, paper bigint, period_from bigint, period_to bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM tenant t WHERE t.id = $1 AND t.told IS NOT NULL AND ($3 IS NULL OR $3 <= t.told AND t.told < $4))
        AND EXISTS (SELECT 1 FROM processing WHERE node = $2) AND NOT EXISTS (SELECT 1 FROM not_public WHERE node = $2)
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION event_not_public() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name)
        SELECT tenant, 0, id, TG_ARGV[0] FROM node WHERE id = coalesce(NEW.node, OLD.node) AND told_published(tenant, id, period_from, period_to);
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_not_public BEFORE INSERT ON not_public FOR EACH ROW EXECUTE FUNCTION event_not_public('unpublished');
CREATE TRIGGER event_public_again AFTER DELETE ON not_public FOR EACH ROW EXECUTE FUNCTION event_not_public('published');

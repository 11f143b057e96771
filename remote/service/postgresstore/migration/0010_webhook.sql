-- +goose Up

-- Addresses that are told of a tenant's events. events are words separated by commas. trusted: the host may have a
-- private address and no TLS. mark is a row of the log of changes: what came before it was sent, or is in
-- webhook_event. place names that log; where it is another one, the mark begins at the log's end.
CREATE TABLE webhook (
    id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant  bigint  NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    url     text    COLLATE "C" NOT NULL,
    secret  text    COLLATE "C" NOT NULL,
    events  text    COLLATE "C" NOT NULL,
    trusted boolean NOT NULL,
    place   text    COLLATE "C" NOT NULL DEFAULT '',
    mark    bigint  NOT NULL DEFAULT 0
);
CREATE INDEX webhook_tenant ON webhook (tenant);

-- Events that were not sent yet because a try failed, or because an earlier one of the same node waits. number is
-- that of the log. Times are in seconds since 1970; since is of the first try (0: none), due of the next. What is
-- aside is not sent, and nothing waits for it.
CREATE TABLE webhook_event (
    webhook bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    number  bigint NOT NULL,
    what    text   COLLATE "C" NOT NULL,
    node    bigint NOT NULL,
    name    text   COLLATE "C" NOT NULL,
    at      bigint NOT NULL,
    tries   bigint NOT NULL,
    since   bigint NOT NULL,
    due     bigint NOT NULL,
    aside   bigint NOT NULL,
    reason  text   COLLATE "C" NOT NULL,
    PRIMARY KEY (webhook, number)
);
CREATE INDEX webhook_event_node ON webhook_event (webhook, node, number) WHERE aside = 0;

-- Which node sends for a webhook, and until when. These are no columns of webhook, so that a claim never waits for a
-- change of the tenant.
CREATE TABLE webhook_sender (
    webhook bigint PRIMARY KEY REFERENCES webhook (id) ON DELETE CASCADE,
    owner   text   COLLATE "C" NOT NULL,
    lease   timestamptz NOT NULL
);

-- Up to when the log has the periods that began and ended; NULL: the tenant has no webhook. A paper that has a PDF
-- is published, as far as the log tells, if its period has this time. Rows of the log for webhooks alone have kind 0
-- and as name published, unpublished, or ordered with the id of the order.
ALTER TABLE tenant ADD COLUMN told bigint;
CREATE INDEX node_from ON node (tenant, period_from) WHERE period_from IS NOT NULL;
CREATE INDEX node_to ON node (tenant, period_to) WHERE period_to IS NOT NULL;
-- +goose StatementBegin
CREATE FUNCTION told_published(tenant bigint, paper bigint, period_from bigint, period_to bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM tenant t WHERE t.id = $1 AND t.told IS NOT NULL AND ($3 IS NULL OR $3 <= t.told AND t.told < $4))
        AND EXISTS (SELECT 1 FROM processing WHERE node = $2)
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION event_period() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before boolean := told_published(OLD.tenant, OLD.id, OLD.period_from, OLD.period_to);
    after  boolean := false;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        after := told_published(NEW.tenant, NEW.id, NEW.period_from, NEW.period_to);
    END IF;
    IF before AND NOT (after AND NEW.tenant = OLD.tenant) THEN
        INSERT INTO event (tenant, kind, thing, name) VALUES (OLD.tenant, 0, OLD.id, 'unpublished');
    END IF;
    IF after AND NOT (before AND NEW.tenant = OLD.tenant) THEN
        INSERT INTO event (tenant, kind, thing, name) VALUES (NEW.tenant, 0, NEW.id, 'published');
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_period AFTER UPDATE ON node FOR EACH ROW
    WHEN (OLD.tenant <> NEW.tenant OR OLD.period_from IS DISTINCT FROM NEW.period_from OR OLD.period_to IS DISTINCT FROM NEW.period_to) EXECUTE FUNCTION event_period();
CREATE TRIGGER event_period_gone BEFORE DELETE ON node FOR EACH ROW EXECUTE FUNCTION event_period();
-- +goose StatementBegin
CREATE FUNCTION event_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name)
        SELECT tenant, 0, id, 'published' FROM node WHERE id = NEW.node AND told_published(tenant, id, period_from, period_to);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_first AFTER INSERT ON processing FOR EACH ROW EXECUTE FUNCTION event_first();
-- +goose StatementBegin
CREATE FUNCTION event_ordered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, NEW.node, 'ordered ' || NEW.order_id FROM tenant WHERE id = NEW.tenant AND told IS NOT NULL;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER event_ordered AFTER INSERT ON purchase FOR EACH ROW EXECUTE FUNCTION event_ordered();

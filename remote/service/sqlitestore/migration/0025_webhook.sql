-- +goose Up

-- Addresses that are told of a tenant's events. events are words separated by commas. trusted: the host may have a
-- private address and no TLS. mark is a row of the log of changes: what came before it was sent, or is in
-- webhook_event. place is empty in a copy, whose marks begin at the end of its log.
CREATE TABLE webhook (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant  INTEGER NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    url     TEXT    NOT NULL,
    secret  TEXT    NOT NULL,
    events  TEXT    NOT NULL,
    trusted INTEGER NOT NULL,
    place   TEXT    NOT NULL DEFAULT '',
    mark    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhook_tenant ON webhook (tenant);

-- Events that were not sent yet because a try failed, or because an earlier one of the same node waits. number is
-- that of the log. Times are in seconds since 1970; since is of the first try (0: none), due of the next. What is
-- aside is not sent, and nothing waits for it.
CREATE TABLE webhook_event (
    webhook INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    what    TEXT    NOT NULL,
    node    INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    tries   INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    due     INTEGER NOT NULL,
    aside   INTEGER NOT NULL,
    reason  TEXT    NOT NULL,
    PRIMARY KEY (webhook, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_event_node ON webhook_event (webhook, node, number) WHERE aside = 0;

-- Up to when the log has the periods that began and ended; NULL: the tenant has no webhook. A paper that has a PDF
-- is published, as far as the log tells, if its period has this time. Rows of the log for webhooks alone have kind 0
-- and as name published, unpublished, or ordered with the id of the order.
ALTER TABLE tenant ADD COLUMN told INTEGER;
CREATE INDEX node_from ON node (tenant, period_from) WHERE period_from IS NOT NULL;
CREATE INDEX node_to ON node (tenant, period_to) WHERE period_to IS NOT NULL;
-- +goose StatementBegin
CREATE TRIGGER event_unpublished AFTER UPDATE ON node WHEN OLD.tenant <> NEW.tenant OR OLD.period_from IS NOT NEW.period_from OR OLD.period_to IS NOT NEW.period_to BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT t.id, 0, OLD.id, 'unpublished' FROM tenant t
        WHERE t.id = OLD.tenant AND t.told IS NOT NULL AND EXISTS (SELECT 1 FROM processing WHERE node = OLD.id)
            AND (OLD.period_from IS NULL OR OLD.period_from <= t.told AND t.told < OLD.period_to)
            AND NOT (NEW.tenant = OLD.tenant AND (NEW.period_from IS NULL OR NEW.period_from <= t.told AND t.told < NEW.period_to));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_published AFTER UPDATE ON node WHEN OLD.tenant <> NEW.tenant OR OLD.period_from IS NOT NEW.period_from OR OLD.period_to IS NOT NEW.period_to BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT t.id, 0, NEW.id, 'published' FROM tenant t
        WHERE t.id = NEW.tenant AND t.told IS NOT NULL AND EXISTS (SELECT 1 FROM processing WHERE node = NEW.id)
            AND (NEW.period_from IS NULL OR NEW.period_from <= t.told AND t.told < NEW.period_to)
            AND NOT (NEW.tenant = OLD.tenant AND (OLD.period_from IS NULL OR OLD.period_from <= t.told AND t.told < OLD.period_to));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_unpublished_gone BEFORE DELETE ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT t.id, 0, OLD.id, 'unpublished' FROM tenant t
        WHERE t.id = OLD.tenant AND t.told IS NOT NULL AND EXISTS (SELECT 1 FROM processing WHERE node = OLD.id)
            AND (OLD.period_from IS NULL OR OLD.period_from <= t.told AND t.told < OLD.period_to);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_published_first AFTER INSERT ON processing BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT t.id, 0, n.id, 'published' FROM node n JOIN tenant t ON t.id = n.tenant
        WHERE n.id = NEW.node AND t.told IS NOT NULL AND (n.period_from IS NULL OR n.period_from <= t.told AND t.told < n.period_to);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_ordered AFTER INSERT ON purchase BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT id, 0, NEW.node, 'ordered ' || NEW.order_id FROM tenant WHERE id = NEW.tenant AND told IS NOT NULL;
END;
-- +goose StatementEnd

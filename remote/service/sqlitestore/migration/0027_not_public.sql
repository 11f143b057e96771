-- +goose Up

-- The papers and categories that readers do not see: those whose setting public is false, and what inherits it. A change of the
-- setting or of a place brings it up to date (package records); a new node begins as its parent is.
CREATE TABLE not_public (
    node INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE
) STRICT;
-- +goose StatementBegin
CREATE TRIGGER not_public_added AFTER INSERT ON node WHEN EXISTS (SELECT 1 FROM not_public WHERE node = NEW.parent) BEGIN
    INSERT INTO not_public (node) VALUES (NEW.id);
END;
-- +goose StatementEnd

-- The papers that readers see, as far as the log of changes tells.
CREATE VIEW told_public AS SELECT n.id, n.tenant FROM node n JOIN tenant t ON t.id = n.tenant
    WHERE t.told IS NOT NULL AND (n.period_from IS NULL OR n.period_from <= t.told AND t.told < n.period_to)
        AND EXISTS (SELECT 1 FROM processing WHERE node = n.id) AND NOT EXISTS (SELECT 1 FROM not_public WHERE node = n.id);

DROP TRIGGER event_unpublished;
DROP TRIGGER event_published;
DROP TRIGGER event_unpublished_gone;
DROP TRIGGER event_published_first;
-- +goose StatementBegin
CREATE TRIGGER event_unpublished BEFORE UPDATE ON node WHEN OLD.tenant <> NEW.tenant OR OLD.period_from IS NOT NEW.period_from OR OLD.period_to IS NOT NEW.period_to BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT p.tenant, 0, p.id, 'unpublished' FROM told_public p JOIN tenant t ON t.id = p.tenant
        WHERE p.id = OLD.id AND NOT (NEW.tenant = OLD.tenant AND (NEW.period_from IS NULL OR NEW.period_from <= t.told AND t.told < NEW.period_to));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_published AFTER UPDATE ON node WHEN OLD.tenant <> NEW.tenant OR OLD.period_from IS NOT NEW.period_from OR OLD.period_to IS NOT NEW.period_to BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT p.tenant, 0, p.id, 'published' FROM told_public p JOIN tenant t ON t.id = p.tenant
        WHERE p.id = NEW.id AND NOT (NEW.tenant = OLD.tenant AND (OLD.period_from IS NULL OR OLD.period_from <= t.told AND t.told < OLD.period_to));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_unpublished_gone BEFORE DELETE ON node BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'unpublished' FROM told_public WHERE id = OLD.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_published_first AFTER INSERT ON processing BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'published' FROM told_public WHERE id = NEW.node;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_not_public BEFORE INSERT ON not_public BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'unpublished' FROM told_public WHERE id = NEW.node;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER event_public_again AFTER DELETE ON not_public BEGIN
    INSERT INTO event (tenant, kind, thing, name) SELECT tenant, 0, id, 'published' FROM told_public WHERE id = OLD.node;
END;
-- +goose StatementEnd

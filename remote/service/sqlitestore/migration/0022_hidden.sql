-- +goose Up

-- The hidden tenant and its root: deleted papers and categories lie there. A deleted node has the
-- address /ID; its name, parent and address before are in its entry of kept, the last as folded_name.
INSERT INTO tenant (id, name, root_url, public_url, orders) VALUES (0, '', '/', '', 0);
INSERT INTO node (id, tenant, parent, kind, name, folded_name, url_name) VALUES (0, 0, NULL, 1, '', '', '');

DROP TRIGGER node_changed;
-- +goose StatementBegin
CREATE TRIGGER node_changed AFTER UPDATE ON node BEGIN
    UPDATE tenant SET tree_version = random(), papers = papers + (NEW.kind = 2) * ((id = NEW.tenant) - (id = OLD.tenant)) WHERE id IN (NEW.tenant, OLD.tenant);
END;
-- +goose StatementEnd

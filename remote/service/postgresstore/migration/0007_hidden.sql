-- +goose Up

-- The hidden tenant and its root: deleted papers and categories lie there. A deleted node has the
-- address /ID; its name, parent and address before are in its entry of kept, the last as folded_name.
INSERT INTO tenant (id, name, root_url, public_url, orders, tree_version, media_version) OVERRIDING SYSTEM VALUE VALUES (0, '', '/', '', false, 0, 0);
INSERT INTO node (id, tenant, parent, kind, name, folded_name, url_name) OVERRIDING SYSTEM VALUE VALUES (0, 0, NULL, 1, '', '', '');

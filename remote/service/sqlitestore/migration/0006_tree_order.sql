-- +goose Up

-- The children of a category in tree order, each with everything that an answer contains about it
-- in one text, which is cheaper to read than six values. A walk through the tree reads only this
-- index; its query uses the same expression.
CREATE INDEX node_order ON node (parent, kind, folded_name, id,
    kind || '/' || id || '/' || url_name || '/' || coalesce(period_from || '-' || period_to, '') || '/' || name);

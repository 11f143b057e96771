-- Content in failed/ belongs to its paper or, before that is made, to a name in a category, whatever these are called by now.
-- What a later one of the same paper has not replaced up to now, because that was sent under another name, stays beside it as older.

-- +goose Up
ALTER TABLE media_failed ADD COLUMN dir INTEGER NOT NULL DEFAULT 0; -- node id of the category of a PDF beside a paper, 0: source.pdf, or not known
WITH pdf AS (SELECT id AS entry, paper, suffix, iif(suffix LIKE ' (damaged)%', ' (damaged)', '') AS kind, overtaken AS was
    FROM media_failed WHERE paper <> 0 AND path LIKE '%.pdf' AND path NOT LIKE '%/.%'),
ranked AS MATERIALIZED (SELECT *, row_number() OVER (PARTITION BY paper, kind ORDER BY entry DESC) - 1 AS later
    FROM pdf WHERE paper IN (SELECT paper FROM pdf GROUP BY paper, suffix HAVING count(*) > 1))
UPDATE media_failed SET overtaken = max(was, later > 0), suffix = kind || replace(hex(zeroblob(later)), '00', ' (older)')
FROM ranked WHERE entry = id;

-- +goose Down
ALTER TABLE media_failed DROP COLUMN dir;

-- A leading slash in the path distinguishes a paper's PDF from a file below media/papers/.

-- +goose Up
UPDATE media_failed SET path = '/' || path WHERE path LIKE 'papers/%.paper/source.pdf';
UPDATE media_draft SET path = '/' || path WHERE path LIKE 'papers/%';

-- +goose Down
UPDATE media_failed SET path = substr(path, 2) WHERE path LIKE '/papers/%';
UPDATE media_draft SET path = substr(path, 2) WHERE path LIKE '/papers/%';

-- Content in failed/ belongs to its paper or, before that is made, to a name in a category, whatever these are called by now.
-- What a later one of the same paper has not replaced up to now, because that was sent under another name, belongs to itself.

-- +goose Up
ALTER TABLE media_failed ADD COLUMN dir INTEGER NOT NULL DEFAULT 0; -- node id of the category of a PDF beside a paper, 0: source.pdf, or not known
UPDATE media_failed SET paper = -id WHERE paper <> 0 AND EXISTS (SELECT 1 FROM media_failed AS later WHERE later.paper = media_failed.paper AND later.suffix = media_failed.suffix AND later.id > media_failed.id);

-- +goose Down
UPDATE media_failed SET paper = 0 WHERE paper < 0;
ALTER TABLE media_failed DROP COLUMN dir;

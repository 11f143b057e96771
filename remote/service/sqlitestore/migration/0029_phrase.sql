-- +goose Up

-- Texts are normalized by another rule (store.Phrase): what was normalized by the one before is not found.
UPDATE page_phrase SET phrase = paperfs_phrase((SELECT text FROM page WHERE id = page_phrase.page));
INSERT INTO page_index (page_index) VALUES ('delete-all');
INSERT INTO page_index (rowid, phrase) SELECT page, phrase FROM page_phrase;

-- What distinguishes content in failed/ from other content for the same path is no part of the
-- path: a user's own file may have such a name. Up to now only PDFs have a name that ends in
-- .pdf and one of these suffixes. They consist of letters that .pdf does not end with.

-- +goose Up
ALTER TABLE media_failed ADD COLUMN suffix TEXT NOT NULL DEFAULT ''; -- such as ' (older)'
UPDATE media_failed SET suffix = substr(path, length(rtrim(path, ' (olderamg)')) + 1), path = rtrim(path, ' (olderamg)')
    WHERE path LIKE '/papers/%' AND (path LIKE '% (older)' OR path LIKE '% (damaged)') AND rtrim(path, ' (olderamg)') LIKE '%.pdf';

-- +goose Down
UPDATE media_failed SET path = path || suffix;
ALTER TABLE media_failed DROP COLUMN suffix;

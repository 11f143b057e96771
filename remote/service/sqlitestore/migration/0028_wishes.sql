-- +goose Up

-- How the PDF of a paper asks to be shown, as JSON. It is replaced with the PDF.
ALTER TABLE rendition ADD COLUMN wishes TEXT NOT NULL DEFAULT '';

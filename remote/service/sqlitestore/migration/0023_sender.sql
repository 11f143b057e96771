-- +goose Up

-- The account that sent the PDF: what the PDF replaces is kept as taken away by it.
ALTER TABLE job_work ADD COLUMN account TEXT NOT NULL DEFAULT '';

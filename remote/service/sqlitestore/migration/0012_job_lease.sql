-- +goose Up

-- The worker that processes a PDF, and the end of its lease: milliseconds since 1970 by the
-- database's clock, 0 for none.
ALTER TABLE job_work ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE job_work ADD COLUMN lease INTEGER NOT NULL DEFAULT 0;

-- When each tenant last had its turn at PDF processing: a greater number is later.
ALTER TABLE tenant ADD COLUMN pdf_turn INTEGER NOT NULL DEFAULT 0;

-- +goose Up

-- Who works at a PDF, and until when he has it: milliseconds since 1970 by the
-- clock of the database, 0 for nobody.
ALTER TABLE job_work ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE job_work ADD COLUMN lease INTEGER NOT NULL DEFAULT 0;

-- The tenants' turns at having a PDF processed: a greater number is later.
ALTER TABLE tenant ADD COLUMN pdf_turn INTEGER NOT NULL DEFAULT 0;

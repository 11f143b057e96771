-- When a job was started on this machine, so that status can show its age.

-- +goose Up
ALTER TABLE job ADD COLUMN began INTEGER NOT NULL DEFAULT 0; -- ns since 1970, 0: not begun here
CREATE INDEX job_under_way ON job (began) WHERE status = 'Pending';

-- +goose Down
DROP INDEX job_under_way;
ALTER TABLE job DROP COLUMN began;

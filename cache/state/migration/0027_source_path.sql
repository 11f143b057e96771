-- Where a paper was when its PDF was sent, from the mount's root: what is set aside after the restore of a backup, which may lack the
-- paper, has that name.
ALTER TABLE source ADD COLUMN path TEXT NOT NULL DEFAULT '';
ALTER TABLE source_before ADD COLUMN path TEXT NOT NULL DEFAULT '';

package sqlitestore

import (
	"context"
	"errors"
	"fmt"

	"paperfs/remote/schema"
	"paperfs/remote/service/store"
)

const fileWhat = `'media file ' || f.id || ' (' || f.name || ')'`

func (t *tx) Holdings(visit func(store.Holding) error) error {
	return t.each(`
		SELECT content, size, 0, sha256, `+fileWhat+` FROM media_file f WHERE content <> ''
		UNION ALL SELECT pdf, pdf_size, 0, NULL, 'PDF of paper ' || node FROM rendition
		UNION ALL SELECT images, -1, (SELECT coalesce(max(start + bytes), 0) FROM image JOIN page ON page.id = image.page WHERE page.node = rendition.node),
			NULL, 'page images of paper ' || node FROM rendition
		UNION ALL SELECT pdf, pdf_size, 0, NULL, 'PDF of job ' || job FROM job_work`, nil,
		func(scan func(...any) error) error {
			h := store.Holding{}
			var sum []byte
			if err := scan(&h.Key, &h.Size, &h.Least, &sum, &h.What); err != nil {
				return err
			}
			if sum != nil {
				h.SHA256 = (*[32]byte)(sum)
			}
			if h.Key == "" {
				return nil
			}
			return visit(h)
		})
}

// unkept finds papers with page images but no stored content for them.
const unkept = `SELECT DISTINCT 'paper ' || page.node || ' has page images, but no content is stored for them: process its PDF again'
	FROM page JOIN image ON image.page = page.id LEFT JOIN rendition ON rendition.node = page.node WHERE image.bytes > 0 AND coalesce(rendition.images, '') = ''`

func (t *tx) SmallFiles(visit func(h store.Holding, data []byte) error) error {
	return t.each(`SELECT f.size, f.sha256, `+fileWhat+`, c.data, c.file IS NOT NULL FROM media_file f LEFT JOIN media_content c ON c.file = f.id WHERE f.content = ''`, nil,
		func(scan func(...any) error) error {
			h := store.Holding{}
			var sum, data []byte
			var there bool
			if err := scan(&h.Size, &sum, &h.What, &data, &there); err != nil {
				return err
			}
			if there && data == nil {
				data = []byte{} // the driver returns nil for empty content
			}
			h.SHA256 = (*[32]byte)(sum)
			return visit(h, data)
		})
}

// faults are queries that return one sentence per fault. SQLite itself enforces most of these
// rules unless another program wrote to the database.
var faults = []string{
	`SELECT 'database: ' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
	`SELECT 'database: a record of ' || "table" || ' names a record of ' || parent || ' that does not exist' FROM pragma_foreign_key_check`,
	`SELECT 'tenant ' || t.name || ' has no root category' FROM tenant t WHERE NOT EXISTS (SELECT 1 FROM node WHERE tenant = t.id AND parent IS NULL AND kind = 1)`,
	`SELECT 'node ' || n.id || ' is inside ' || n.parent || ', which belongs to another tenant' FROM node n JOIN node p ON p.id = n.parent WHERE p.tenant <> n.tenant`,
	`SELECT 'node ' || n.id || ' is inside paper ' || n.parent FROM node n JOIN node p ON p.id = n.parent WHERE p.kind <> 1`,
	`WITH RECURSIVE below (id) AS (SELECT id FROM node WHERE parent IS NULL UNION SELECT n.id FROM node n JOIN below ON n.parent = below.id)
		SELECT 'node ' || id || ' is not below any root' FROM node WHERE id NOT IN (SELECT id FROM below)`,
	`SELECT 'node ' || id || ' has no valid address' FROM node WHERE parent IS NOT NULL AND (url_name = '' OR instr(url_name, '/') > 0)`,
	`SELECT 'nodes ' || min(id) || ' and ' || max(id) || ' have the same address' FROM node WHERE parent IS NOT NULL GROUP BY parent, lower(url_name) HAVING count(*) > 1`,
	`SELECT 'media directory ' || d.id || ' is inside ' || d.parent || ', which does not exist' FROM media_dir d
		WHERE d.parent <> 0 AND NOT EXISTS (SELECT 1 FROM media_dir p WHERE p.id = d.parent AND p.tenant = d.tenant)`,
	`WITH RECURSIVE below (id) AS (SELECT id FROM media_dir WHERE parent = 0 UNION SELECT d.id FROM media_dir d JOIN below ON d.parent = below.id)
		SELECT 'media directory ' || id || ' is not below any root' FROM media_dir WHERE id NOT IN (SELECT id FROM below)`,
	`SELECT 'media file ' || f.id || ' is inside ' || f.dir || ', which does not exist' FROM media_file f
		WHERE f.dir <> 0 AND NOT EXISTS (SELECT 1 FROM media_dir p WHERE p.id = f.dir AND p.tenant = f.tenant)`,
	`SELECT 'media file ' || f.id || ' has the name of media directory ' || d.id FROM media_file f
		JOIN media_dir d ON d.tenant = f.tenant AND d.parent = f.dir AND d.folded_name = f.folded_name`,
	// If contents are files, the ledger is empty.
	`SELECT 'content ' || n.key || ' is named by a record, but not marked as kept' FROM (` + named + `) n
		LEFT JOIN content c ON c.key = n.key WHERE coalesce(c.state, 0) <> 1 AND EXISTS (SELECT 1 FROM content)`,
	`SELECT 'content ' || key || ' is marked as kept, but no record names it' FROM content
		WHERE state = 1 AND key NOT IN (SELECT key FROM (` + named + `))`,
	unkept,
}

// named selects the keys of all contents that records name.
const named = `SELECT content AS key FROM media_file WHERE content <> '' UNION SELECT pdf FROM rendition WHERE pdf <> ''
	UNION SELECT images FROM rendition WHERE images <> '' UNION SELECT pdf FROM job_work WHERE pdf <> ''`

func (t *tx) Faults() ([]string, error) {
	var found []string
	for _, query := range faults {
		err := t.each(query, nil, func(scan func(...any) error) error {
			var sentence string
			err := scan(&sentence)
			found = append(found, sentence)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("check the records: %w", err)
		}
	}
	return found, nil
}

// Snapshot writes a copy of the database, as committed when Snapshot begins, to a new file.
// Changes can continue in the meantime.
func (s *Store) Snapshot(ctx context.Context, file string) error {
	// The read connections are query_only, which also forbids writing to another file.
	db := open(s.file)
	return translate(errors.Join(schema.Copy(ctx, db, file), db.Close()))
}

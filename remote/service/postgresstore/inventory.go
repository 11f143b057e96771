package postgresstore

import (
	"fmt"

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
	return t.each(`SELECT f.size, f.sha256, `+fileWhat+`, c.data FROM media_file f LEFT JOIN media_content c ON c.file = f.id WHERE f.content = ''`, nil,
		func(scan func(...any) error) error {
			h := store.Holding{}
			var sum, data []byte
			if err := scan(&h.Size, &sum, &h.What, &data); err != nil {
				return err
			}
			h.SHA256 = (*[32]byte)(sum)
			return visit(h, data)
		})
}

// faults are queries that return one sentence per fault. PostgreSQL itself enforces most of these
// rules.
var faults = []string{
	`SELECT 'tenant ' || t.name || ' has no root category' FROM tenant t WHERE NOT EXISTS (SELECT 1 FROM node WHERE tenant = t.id AND parent IS NULL AND kind = 1)`,
	`SELECT 'node ' || n.id || ' is inside ' || n.parent || ', which belongs to another tenant' FROM node n JOIN node p ON p.id = n.parent WHERE p.tenant <> n.tenant`,
	`SELECT 'node ' || n.id || ' is inside paper ' || n.parent FROM node n JOIN node p ON p.id = n.parent WHERE p.kind <> 1`,
	`WITH RECURSIVE below (id) AS (SELECT id FROM node WHERE parent IS NULL UNION SELECT n.id FROM node n JOIN below ON n.parent = below.id)
		SELECT 'node ' || id || ' is not below any root' FROM node WHERE id NOT IN (SELECT id FROM below)`,
	`SELECT 'node ' || id || ' has no valid address' FROM node WHERE parent IS NOT NULL AND (url_name = '' OR strpos(url_name, '/') > 0)`,
	`SELECT 'media directory ' || d.id || ' is inside ' || d.parent || ', which does not exist' FROM media_dir d
		WHERE d.parent <> 0 AND NOT EXISTS (SELECT 1 FROM media_dir p WHERE p.id = d.parent AND p.tenant = d.tenant)`,
	`WITH RECURSIVE below (id) AS (SELECT id FROM media_dir WHERE parent = 0 UNION SELECT d.id FROM media_dir d JOIN below ON d.parent = below.id)
		SELECT 'media directory ' || id || ' is not below any root' FROM media_dir WHERE id NOT IN (SELECT id FROM below)`,
	`SELECT 'media file ' || f.id || ' is inside ' || f.dir || ', which does not exist' FROM media_file f
		WHERE f.dir <> 0 AND NOT EXISTS (SELECT 1 FROM media_dir p WHERE p.id = f.dir AND p.tenant = f.tenant)`,
	`SELECT 'media file ' || f.id || ' has the name of media directory ' || d.id FROM media_file f
		JOIN media_dir d ON d.tenant = f.tenant AND d.parent = f.dir AND d.folded_name = f.folded_name`,
	`SELECT 'tenant ' || t.name || ' has wrong totals: ' || t.media_bytes || ' bytes of media and ' || t.papers || ' papers are recorded' FROM tenant t
		WHERE t.media_bytes <> (SELECT coalesce(sum(size), 0) FROM media_file WHERE tenant = t.id) OR t.papers <> (SELECT count(*) FROM node WHERE tenant = t.id AND kind = 2)`,
	`SELECT 'content ' || named.key || ' is named by a record, but not marked as kept' FROM (` + named + `) named
		LEFT JOIN content ON content.key = named.key WHERE named.key <> '' AND content.state IS DISTINCT FROM 'kept'`,
	`SELECT 'content ' || key || ' is marked as kept, but no record names it' FROM content WHERE state = 'kept' AND key NOT IN (` + named + `)`,
	unkept,
}

func (t *tx) Faults() ([]string, error) {
	var found []string
	for _, query := range faults {
		some, err := all(t, query, nil, func(scan func(...any) error, sentence *string) error { return scan(sentence) })
		if err != nil {
			return nil, fmt.Errorf("check the records: %w", err)
		}
		found = append(found, some...)
	}
	return found, nil
}

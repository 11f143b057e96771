package records

import (
	"errors"
	"fmt"
	"slices"

	"paperfs/remote/service/store"
)

const (
	fileWhat = `'media file ' || f.id || ' (' || f.name || ')'`
	keptWhat = `'kept ' || f.name || ' (entry ' || f.id || ')'`
)

// Named selects the keys of all contents that records name.
const Named = `SELECT content AS key FROM media_file WHERE content <> '' UNION SELECT pdf FROM rendition WHERE pdf <> ''
	UNION SELECT content FROM kept WHERE content <> '' UNION SELECT images FROM rendition WHERE images <> '' UNION SELECT pdf FROM job_work WHERE pdf <> ''`

// Holdings implements store.Inventory.
func (q Queries) Holdings(visit func(store.Holding) error) error {
	return q.tx.Each(`
		SELECT content, size, 0, sha256, `+fileWhat+` FROM media_file f WHERE content <> ''
		UNION ALL SELECT content, size, 0, sha256, `+keptWhat+` FROM kept f WHERE content <> ''
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

// SmallFiles implements store.Inventory.
func (q Queries) SmallFiles(visit func(h store.Holding, data []byte) error) error {
	return q.tx.Each(`SELECT f.size, f.sha256, `+fileWhat+`, c.data, c.file IS NOT NULL FROM media_file f LEFT JOIN media_content c ON c.file = f.id WHERE f.content = ''
		UNION ALL SELECT f.size, f.sha256, `+keptWhat+`, f.data, true FROM kept f WHERE f.kind = 1 AND f.holds = 1 AND f.content = ''`, nil,
		func(scan func(...any) error) error {
			h := store.Holding{}
			var sum, data []byte
			var stored bool
			if err := scan(&h.Size, &sum, &h.What, &data, &stored); err != nil {
				return err
			}
			if stored && data == nil {
				data = []byte{} // the driver of SQLite returns nil for empty content
			}
			h.SHA256 = (*[32]byte)(sum)
			return visit(h, data)
		})
}

// faults are queries that return one sentence per fault. The engine itself enforces most of these
// rules, unless another program wrote to the database.
var faults = []string{
	`SELECT 'tenant ' || t.name || ' has no root category' FROM tenant t WHERE NOT EXISTS (SELECT 1 FROM node WHERE tenant = t.id AND parent IS NULL AND kind = 1)`,
	`SELECT 'node ' || n.id || ' is inside ' || n.parent || ', which belongs to another tenant' FROM node n JOIN node p ON p.id = n.parent WHERE p.tenant <> n.tenant`,
	`SELECT 'node ' || n.id || ' is inside paper ' || n.parent FROM node n JOIN node p ON p.id = n.parent WHERE p.kind <> 1`,
	`WITH RECURSIVE below (id) AS (SELECT id FROM node WHERE parent IS NULL UNION SELECT n.id FROM node n JOIN below ON n.parent = below.id)
		SELECT 'node ' || id || ' is not below any root' FROM node WHERE id NOT IN (SELECT id FROM below)`,
	`SELECT 'node ' || id || ' has no valid address' FROM node WHERE parent IS NOT NULL AND tenant > 0 AND (url_name = '' OR url_name LIKE '%/%')`,
	`SELECT 'node ' || id || ' is deleted, but has no entry' FROM node WHERE tenant = 0 AND id > 0 AND NOT EXISTS (SELECT 1 FROM kept WHERE kind = 3 AND thing = node.id)`,
	`SELECT 'entry ' || id || ' is of node ' || thing || ', which is not deleted' FROM kept WHERE kind = 3 AND NOT EXISTS (SELECT 1 FROM node WHERE node.id = thing AND node.tenant = 0)`,
	`SELECT 'media directory ' || d.id || ' is inside ' || d.parent || ', which does not exist' FROM media_dir d
		WHERE d.parent <> 0 AND NOT EXISTS (SELECT 1 FROM media_dir p WHERE p.id = d.parent AND p.tenant = d.tenant)`,
	`WITH RECURSIVE below (id) AS (SELECT id FROM media_dir WHERE parent = 0 UNION SELECT d.id FROM media_dir d JOIN below ON d.parent = below.id)
		SELECT 'media directory ' || id || ' is not below any root' FROM media_dir WHERE id NOT IN (SELECT id FROM below)`,
	`SELECT 'media file ' || f.id || ' is inside ' || f.dir || ', which does not exist' FROM media_file f
		WHERE f.dir <> 0 AND NOT EXISTS (SELECT 1 FROM media_dir p WHERE p.id = f.dir AND p.tenant = f.tenant)`,
	`SELECT 'media file ' || f.id || ' has the name of media directory ' || d.id FROM media_file f
		JOIN media_dir d ON d.tenant = f.tenant AND d.parent = f.dir AND d.folded_name = f.folded_name`,
	`SELECT DISTINCT 'paper ' || page.node || ' has page images, but no content is stored for them: process its PDF again'
		FROM page JOIN image ON image.page = page.id LEFT JOIN rendition ON rendition.node = page.node WHERE image.bytes > 0 AND coalesce(rendition.images, '') = ''`,
}

// FaultsOf asks for the faults that both engines look for, after some of the engine's own.
func (q Queries) FaultsOf(own []string) ([]string, error) {
	var found []string
	for _, query := range slices.Concat(own, faults) {
		sentences, err := All(q.tx, query, nil, one[string])
		if err != nil {
			return nil, fmt.Errorf("check the records: %w", err)
		}
		found = append(found, sentences...)
	}
	return found, nil
}

// errEnough ends a visit early.
var errEnough = errors.New("enough")

// Rows yields the rows of a query of so many columns, each after finish has made its values those
// of a store.Row.
func Rows(tx Tx, query string, columns int, finish func(store.Row), yield func(store.Row, error) bool) {
	err := tx.Each(query, nil, func(scan func(...any) error) error {
		row := make(store.Row, columns)
		into := make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		if err := scan(into...); err != nil {
			return err
		}
		finish(row)
		if !yield(row, nil) {
			return errEnough
		}
		return nil
	})
	if err != nil && err != errEnough {
		yield(nil, err)
	}
}

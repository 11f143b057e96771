package sqlitestore

import (
	"bytes"
	"database/sql"
	"strings"
	"unicode/utf8"

	"paperfs/remote/service/store/records"
)

// scanPages is the default of Store.ScanPages. Comparing that many pages takes about 30 ms. The
// cost of using the index grows with the hits in all papers of all tenants.
const scanPages = 4096

// PagesContaining implements store.PageReader. For a large tree and a phrase of at least three
// characters, it uses the index and keeps the hits below the node; otherwise it compares all
// pages of the tree. Both ways compare phrases byte by byte and so find the same pages. LIKE
// would fold ASCII again and interpret % and _.
func (t *tx) PagesContaining(node int64, phrase string) (map[int64][]int, error) {
	s := search{tx: t, phrase: []byte(phrase), found: map[int64][]int{}}
	indexed := utf8.RuneCountInString(phrase) >= trigram
	if indexed {
		var err error
		if indexed, err = t.MorePagesThan(node, t.scanPages); err != nil {
			return nil, err
		}
	}
	if indexed {
		return s.found, s.index(node)
	}
	return s.found, s.scan(node)
}

// search is the state of one search.
type search struct {
	*tx
	phrase []byte
	found  map[int64][]int
}

func (s *search) scan(node int64) error {
	return s.Each(records.Below+`
		SELECT page.node, page.number, page_phrase.phrase
		FROM below JOIN page ON page.node = below.id JOIN page_phrase ON page_phrase.page = page.id
		ORDER BY page.node, page.number`, []any{node},
		func(scan func(...any) error) error {
			var paper int64
			var number int
			var phrase sql.RawBytes
			if err := scan(&paper, &number, &phrase); err != nil {
				return err
			}
			if bytes.Contains(phrase, s.phrase) {
				s.found[paper] = append(s.found[paper], number)
			}
			return nil
		})
}

// index relies on the ids of a paper's pages ascending with their numbers, which holds because
// all pages of a paper are added together.
func (s *search) index(node int64) error {
	within := map[int64]bool{node: true, 0: false}
	return s.Each(`
		SELECT page.node, coalesce(node.parent, 0), page.number, page_phrase.phrase
		FROM page_index JOIN page ON page.id = page_index.rowid JOIN node ON node.id = page.node
		JOIN page_phrase ON page_phrase.page = page.id
		WHERE page_index MATCH ? ORDER BY page_index.rowid`, []any{trigrams(string(s.phrase))},
		func(scan func(...any) error) error {
			var paper, parent int64
			var number int
			var phrase sql.RawBytes
			if err := scan(&paper, &parent, &number, &phrase); err != nil {
				return err
			}
			if paper != node {
				inside, err := s.isWithin(parent, within)
				if err != nil || !inside {
					return err
				}
			}
			if bytes.Contains(phrase, s.phrase) {
				s.found[paper] = append(s.found[paper], number)
			}
			return nil
		})
}

// isWithin reports whether a category is the node of the search or lies below it. known caches
// the answers; it starts with the node itself.
func (s *search) isWithin(category int64, known map[int64]bool) (bool, error) {
	inside, found := known[category]
	if found {
		return inside, nil
	}
	var parent int64
	// SQLite can run a second query while the first is read, so the engine may query within a
	// visit.
	if err := s.conn.QueryRowContext(s.ctx, `SELECT coalesce(parent, 0) FROM node WHERE id = ?`, category).Scan(&parent); err != nil {
		return false, translate(err)
	}
	inside, err := s.isWithin(parent, known)
	known[category] = inside
	return inside, err
}

// trigram is the length of the index's terms in characters.
const trigram = 3

// trigrams returns the index query for pages that may contain a phrase: all of the terms that
// cover it. They may be apart on a page, so the caller must compare the page as well.
func trigrams(phrase string) string {
	runes := []rune(phrase)
	var terms []string
	for at := 0; ; at += trigram {
		at = min(at, len(runes)-trigram)
		terms = append(terms, `"`+strings.ReplaceAll(string(runes[at:at+trigram]), `"`, `""`)+`"`)
		if at == len(runes)-trigram {
			return strings.Join(terms, " AND ")
		}
	}
}

package postgresstore

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// scanPages is the default of Store.ScanPages. The cost of the index grows with the
// hits in all papers of all tenants.
const scanPages = 4096

// trigram is the length of the index's terms, in characters.
const trigram = 3

// PagesContaining implements store.PageReader. For a large tree it has the index find
// what may contain the phrase, of three characters or more; otherwise all pages of
// the tree are compared. LIKE judges in both: in it nothing is left that means
// anything, case was folded before, and so it compares byte by byte.
func (t *tx) PagesContaining(node int64, phrase string) (map[int64][]int, error) {
	query := below + `
		SELECT page.node, page.number
		FROM below JOIN page ON page.node = below.id JOIN page_phrase ON page_phrase.page = page.id
		WHERE page_phrase.phrase LIKE $2 ORDER BY page.node, page.number`
	if utf8.RuneCountInString(phrase) >= trigram {
		large, err := t.morePagesThan(node, t.scanPages)
		if err != nil {
			return nil, err
		}
		if large {
			query = below + `, hit AS MATERIALIZED (SELECT page FROM page_phrase WHERE phrase LIKE $2)
				SELECT page.node, page.number
				FROM hit JOIN page ON page.id = hit.page WHERE page.node IN (SELECT id FROM below) ORDER BY page.node, page.number`
		}
	}
	if err := t.limitStatements(t.searchTime); err != nil {
		return nil, err
	}
	found := map[int64][]int{}
	err := t.each(query, []any{node, "%" + plain.Replace(phrase) + "%"}, func(scan func(...any) error) error {
		var paper int64
		var number int
		err := scan(&paper, &number)
		found[paper] = append(found[paper], number)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, t.limitStatements(0)
}

// searchTime is how long a search may compare pages.
const searchTime = 20 * time.Second

// limitStatements bounds each statement of the transaction from now on; 0 = it does not.
func (t *tx) limitStatements(d time.Duration) error {
	return t.exec(`SELECT set_config('statement_timeout', $1, true)`, strconv.FormatInt(d.Milliseconds(), 10))
}

// plain makes a pattern of LIKE of text.
var plain = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// morePagesThan looks at no more pages than it has to.
func (t *tx) morePagesThan(node int64, limit int64) (more bool, err error) {
	err = t.row(below+`
		SELECT count(*) > $2 FROM (SELECT 1 FROM below JOIN page ON page.node = below.id LIMIT $2 + 1) few`, []any{node, limit}, &more)
	return more, err
}

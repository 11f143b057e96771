package postgresstore

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"paperfs/remote/service/store/records"
)

// scanPages is the default of Store.ScanPages. The cost of using the index grows with the hits in
// all papers of all tenants.
const scanPages = 4096

// trigram is the length of the index's terms, in characters.
const trigram = 3

// PagesContaining implements store.PageReader. For a large tree and a phrase of at least three
// characters, the index finds the candidates; otherwise it compares all pages of the tree. LIKE
// decides in both cases. The phrase is escaped and its case folded, so LIKE compares byte by
// byte.
func (t *tx) PagesContaining(node int64, phrase string) (map[int64][]int, error) {
	query := compared
	if utf8.RuneCountInString(phrase) >= trigram {
		large, err := t.MorePagesThan(node, t.scanPages)
		if err != nil {
			return nil, err
		}
		if large {
			query = indexed
		}
	}
	if err := t.limitStatements(t.searchTime); err != nil {
		return nil, err
	}
	found := map[int64][]int{}
	err := t.Each(query, []any{node, "%" + escapeLike.Replace(phrase) + "%"}, func(scan func(...any) error) error {
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

// PostgreSQL's row estimates for patterns are unreliable: often one row instead of thousands. So
// neither query leaves the planner a choice of plans whose cost is a product: pages times hits,
// or tree size times hits.
const (
	// compared compares the phrase of each page below a node, found by its key.
	compared = records.Below + `, pages AS MATERIALIZED (SELECT page.id, page.node, page.number FROM below JOIN page ON page.node = below.id)
		SELECT node, number FROM pages, LATERAL (SELECT 1 FROM page_phrase WHERE page = pages.id AND phrase LIKE $2 OFFSET 0) hit
		ORDER BY node, number`
	// indexed follows the ancestors of each hit, and keeps those that lead to the node.
	indexed = `
		WITH RECURSIVE hit AS MATERIALIZED (SELECT page FROM page_phrase WHERE phrase LIKE $2), up (node, number, at) AS (
			SELECT page.node, page.number, page.node FROM hit JOIN page ON page.id = hit.page
			UNION ALL SELECT up.node, up.number, node.parent FROM up JOIN node ON node.id = up.at WHERE up.at <> $1)
		SELECT node, number FROM up WHERE at = $1 ORDER BY node, number`
)

// searchTime is how long a search may compare pages.
const searchTime = 20 * time.Second

// limitStatements limits the time of each later statement of the transaction; 0 removes the
// limit.
func (t *tx) limitStatements(d time.Duration) error {
	return t.Exec(`SELECT set_config('statement_timeout', $1, true)`, strconv.FormatInt(d.Milliseconds(), 10))
}

// escapeLike escapes text for use in a LIKE pattern.
var escapeLike = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

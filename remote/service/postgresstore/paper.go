package postgresstore

import (
	"errors"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/store"
	"paperfs/remote/service/store/records"
)

// papers reads the papers category by category, in the order in which a walk leaves the
// categories: the descendants of a category come before its papers.
type papers struct {
	*tx
	most  int           // how many papers a query reads
	extra string        // SQL for the edition and the pages of a paper
	order []int64       // categories
	place map[int64]int // index of a category in order

	rows    pgx.Rows // of the categories before end; nil when all are read
	end     int
	many    int // how many categories the last query covered
	row     records.NodeRow
	columns []any
	edition int64
	pages   int
	at      int  // index of row's category
	read    int  // rows of the query that were read
	seen    int  // rows of the category at that were read
	held    bool // row was read but not visited
}

// One query reads the papers of fewest to most categories: few at first, for a walk that ends
// early.
const (
	fewest = 32
	most   = 4096
)

func (p *papers) add(children map[int64][]store.Node, category int64) {
	for _, child := range children[category] {
		p.add(children, child.ID)
	}
	p.place[category] = len(p.order)
	p.order = append(p.order, category)
}

// of visits the papers of a category. Papers of earlier categories can no longer be visited.
func (p *papers) of(category int64, visit func(paper store.Node) error) error {
	place := p.place[category]
	if place >= p.end {
		if err := p.query(place, 0); err != nil {
			return err
		}
	}
	for {
		if !p.held {
			if more, err := p.more(place); err != nil || !more {
				return err
			}
		}
		if p.at > place {
			return nil
		}
		p.held = false
		if p.at == place {
			n := p.row.Node()
			n.Edition, n.Pages = p.edition, p.pages
			if err := visit(n); err != nil {
				return err
			}
		}
	}
}

// more is next for papers of a category or later ones. After a query that ended at its limit it
// begins another: of the papers that were read, a walk that left categories has visited few.
func (p *papers) more(place int) (more bool, err error) {
	more, err = p.next()
	if err != nil || more || p.read < p.most {
		return more, err
	}
	seen := 0
	if p.at == place {
		seen = p.seen
	}
	if err := p.query(place, seen); err != nil {
		return false, err
	}
	return p.next()
}

// query starts reading at a category, after its first papers, and reads as many papers as the walk
// may visit. PostgreSQL runs the join as a nested loop in the order of the array; next checks that.
func (p *papers) query(place, first int) (err error) {
	p.close()
	p.read, p.seen = 0, first
	p.many = min(max(p.many*4, fewest), most)
	p.end = min(place+p.many, len(p.order))
	p.at, p.held = place, false
	p.columns = p.row.Columns(&p.edition, &p.pages, &p.at)
	p.rows, err = p.Query(p.ctx, `SELECT n.*, place + $2 FROM unnest($1::bigint[]) WITH ORDINALITY AS category (id, place), LATERAL (
			SELECT `+records.NodeColumns+`, `+p.extra+` FROM node WHERE parent = category.id AND kind = 2 ORDER BY folded_name, node.id) n LIMIT $3 OFFSET $4`,
		p.order[place:p.end], place-1, p.most, first)
	return p.Fail(err)
}

func (p *papers) next() (more bool, err error) {
	if p.rows == nil {
		return false, nil
	}
	if !p.rows.Next() {
		err := p.rows.Err()
		p.rows = nil
		return false, p.Fail(err)
	}
	before := p.at
	if err := p.rows.Scan(p.columns...); err != nil {
		return false, err
	}
	p.read++
	if p.at > before {
		p.seen = 0
	}
	p.seen++
	if p.at < before {
		return false, errors.New("PostgreSQL returned papers out of order")
	}
	p.held = true
	return true, nil
}

func (p *papers) close() {
	if p.rows != nil {
		p.rows.Close()
		p.rows = nil
	}
}

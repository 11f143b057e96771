package generate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// Tree generates the categories and papers of a Spec, with their pages, below the tenant's root.
// Each Seed works once per tenant: afterwards its addresses are taken.
func Tree(tx store.Writer, tenant store.Tenant, s Spec) (Report, error) {
	t := &tree{
		tx: tx, tenant: tenant.ID, spec: s,
		// Texts use a separate random source, so that the tree is the same with and without
		// pages.
		random:     rand.New(rand.NewPCG(s.Seed, 1)),
		texts:      rand.New(rand.NewPCG(s.Seed, 2)),
		categories: []category{{id: tenant.Root}},
	}
	for range s.Categories {
		if err := t.addCategory(); err != nil {
			return t.report, t.explain(err)
		}
	}
	for range s.Papers {
		if err := t.addPaper(); err != nil {
			return t.report, t.explain(err)
		}
	}
	return t.report, nil
}

type tree struct {
	tx     store.Writer
	tenant int64
	spec   Spec
	random *rand.Rand
	texts  *rand.Rand
	report Report

	categories []category // the root is first
	open       []int      // indexes of categories that may get further categories
}

type category struct {
	id    int64
	depth int
	last  sibling // the last child generated
}

// sibling is what awkward names clash with.
type sibling struct {
	id   int64
	name string
}

func (t *tree) explain(err error) error {
	if errors.Is(err, store.ErrTaken) {
		return fmt.Errorf("the tree of the seed %d exists already; give another --seed: %w", t.spec.Seed, err)
	}
	return err
}

// addCategory first makes one path down to the full depth, then adds categories anywhere above
// it.
func (t *tree) addCategory() error {
	n := len(t.categories)
	parent := n - 1
	if n > t.spec.Depth {
		parent = t.open[t.random.IntN(len(t.open))]
	}
	id, err := t.add(parent, remote.CategoryNode, pick(t.random, subjects)+" "+strconv.Itoa(n), remote.Period{})
	if err != nil {
		return err
	}
	depth := t.categories[parent].depth + 1
	t.categories = append(t.categories, category{id: id, depth: depth})
	if n == 1 {
		t.open = append(t.open, 0)
	}
	if depth < t.spec.Depth {
		t.open = append(t.open, n)
	}
	t.report.Categories++
	return nil
}

func (t *tree) addPaper() error {
	t.report.Papers++
	parent := 0
	if n := len(t.categories); n > 1 {
		parent = 1 + t.random.IntN(n-1)
	}
	id, err := t.add(parent, remote.PaperNode, title(t.random, pick(t.random, forms), t.report.Papers), t.period())
	if err != nil || t.spec.Pages == 0 {
		return err
	}
	pages := make([]store.Page, t.spec.Pages)
	for i := range pages {
		pages[i] = store.Page{Number: i + 1, PartOfIndex: true, Text: text(t.texts, 20+t.texts.IntN(60))}
	}
	t.report.Pages += len(pages)
	return t.tx.ReplacePages(id, pages)
}

func (t *tree) add(parent int, kind remote.NodeKind, name string, period remote.Period) (int64, error) {
	in := &t.categories[parent]
	if t.spec.Awkward {
		name = awkwardName(t.random, name, in.last)
	}
	number := t.report.Categories + t.report.Papers
	node := store.Node{Tenant: t.tenant, Parent: in.id, Kind: kind, Name: name, Period: period, URLName: t.urlName(kind, number)}
	id, err := t.tx.AddNode(node)
	in.last = sibling{id, name}
	return id, err
}

// urlName returns a name that is unique per seed and number.
func (t *tree) urlName(kind remote.NodeKind, number int) string {
	word := pick(t.random, subjects)
	if kind == remote.PaperNode {
		word = pick(t.random, seasons) + "-" + word
	}
	return strings.ToLower(word) + "-" + strconv.FormatUint(t.spec.Seed, 36) + "-" + strconv.Itoa(number)
}

// begin is the first day of a generated publication period.
var begin = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// period returns a publication period for one paper in five, else none.
func (t *tree) period() remote.Period {
	if t.random.IntN(5) > 0 {
		return remote.Period{}
	}
	from := begin.AddDate(0, 0, t.random.IntN(1000))
	return remote.Period{From: from, To: from.AddDate(0, 0, 1+t.random.IntN(200))}
}

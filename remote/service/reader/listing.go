package reader

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// newest is the order of a shelf that begins with the newest papers, as the setting shelfOrder and the
// parameter Order name it.
const newest = "newest"

// mostSearched is the largest number of bytes of a text that is looked for in names.
const mostSearched = 200

// wish is what the parameters ask of a shelf.
type wish struct {
	page   int
	search string
	words  []string // of the search, as store.Phrase has them
	newest bool
}

func wished(query url.Values, byDefault bool) wish {
	w := wish{page: number(query, "Page"), search: strings.TrimSpace(query.Get("Search")), newest: byDefault}
	if len(w.search) > mostSearched {
		w.search = strings.ToValidUTF8(w.search[:mostSearched], "")
	}
	w.words = strings.Fields(store.Phrase(w.search))
	if order := query.Get("Order"); order != "" {
		w.newest = order == newest
	}
	return w
}

// all reports whether every paper has to be looked at to know the first entries.
func (w wish) all() bool { return w.newest || len(w.words) > 0 }

// meets reports whether each word is in the name of the paper that the way leads to, or in that of a
// category on the way.
func (w wish) meets(way []store.Node) bool {
	for _, word := range w.words {
		if !slices.ContainsFunc(way, func(n store.Node) bool { return strings.Contains(store.Phrase(n.Name), word) }) {
			return false
		}
	}
	return true
}

// found is a paper that a shelf shows.
type found struct {
	entry store.Node // the paper, or the category's child that it is in
	paper store.Node
	way   string // from the category to the paper
	date  time.Time
}

// list adds the entries of a page: the category's published papers that have pages, and its
// subcategories with such a paper somewhere below, the first of which is the cover. A search has
// papers at any depth. It returns store.ErrNotFound for a page without entries, but not for a search in
// what others can be found in.
func (s *Reader) list(sh *shelf, tx store.Reader, category store.Node, want wish) error {
	skip := (want.page - 1) * s.Listing.Entries
	all, public, err := s.find(sh, tx, category, want, skip+s.Listing.Entries)
	if err == nil && want.newest {
		err = dates(tx, all)
	}
	if err != nil {
		return err
	}
	all = want.order(all)
	if len(all) <= skip && (skip > 0 || len(want.words) == 0 || !public) {
		return store.ErrNotFound
	}
	all = all[skip:]
	if len(all) > s.Listing.Entries {
		all, sh.Next = all[:s.Listing.Entries], want.page+1
	}
	if !want.newest {
		err = dates(tx, all)
	}
	for _, f := range all {
		e := view.Entry{Name: f.entry.Name, Address: f.entry.URLName + "/", Category: f.entry.Kind == remote.CategoryNode, Date: f.date}
		if !e.Category {
			e.Address = f.way
		} else if !want.newest {
			e.Date = time.Time{} // that of any of its papers
		}
		sh.Entries = append(sh.Entries, e)
		sh.covers = append(sh.covers, cover{f.paper.ID, f.way})
	}
	return err
}

// find returns what meets a wish, and whether anything below the category is public. It ends early if enough
// is found and the order is that of the tree.
func (s *Reader) find(sh *shelf, tx store.Reader, category store.Node, want wish, enough int) (all []found, public bool, err error) {
	now := s.Now()
	var way []store.Node // from the category's child to the visited node
	looked := 0
	err = tx.WalkFilled(category.ID, s.Listing.Look+1, func(n store.Node, depth int) error {
		if looked++; looked > s.Listing.Look {
			sh.Short = true
			return errEnough
		}
		if depth > 0 {
			way = append(way[:depth-1], n)
		}
		if depth == 0 || n.Pages == 0 || !visible(n, now) {
			return nil
		}
		if public = true; !want.meets(way) {
			return nil
		}
		one := found{entry: way[0], paper: n, way: pathOf(way)}
		if len(want.words) > 0 {
			one.entry = n
		}
		switch all = append(all, one); {
		case want.all():
			return nil
		case len(all) > enough:
			return errEnough
		}
		return store.Leave(1)
	})
	if err == errEnough {
		err = nil
	}
	return all, public, err
}

func pathOf(way []store.Node) string {
	var b strings.Builder
	for _, n := range way {
		b.WriteString(n.URLName)
		b.WriteByte('/')
	}
	return b.String()
}

// dates tells of each paper since when it is published or, if it always was, when its PDF came.
func dates(tx store.Reader, all []found) error {
	var papers []int64
	places := map[int64]int{}
	for i := range all {
		p := all[i].paper
		// A mount writes an open beginning as the first year that the contract has.
		if all[i].date = p.Period.From; p.Period.From.Year() <= 1900 {
			papers, places[p.ID] = append(papers, p.ID), i
		}
	}
	return tx.Processings(papers, func(paper int64, p store.Processing) error {
		all[places[paper]].date = p.At
		return nil
	})
}

// order sorts what was found, and leaves one paper of each entry. What has no date comes last; among what has the
// same date, what was created last comes first.
func (w wish) order(all []found) []found {
	if w.newest {
		slices.SortFunc(all, func(a, b found) int { return cmp.Or(b.date.Compare(a.date), cmp.Compare(b.paper.ID, a.paper.ID)) })
	} else if len(w.words) > 0 {
		slices.SortFunc(all, func(a, b found) int {
			return cmp.Or(cmp.Compare(rules.Fold(a.entry.Name), rules.Fold(b.entry.Name)), cmp.Compare(a.entry.ID, b.entry.ID))
		})
	}
	seen := map[int64]bool{}
	return slices.DeleteFunc(all, func(f found) bool {
		before := seen[f.entry.ID]
		seen[f.entry.ID] = true
		return before
	})
}

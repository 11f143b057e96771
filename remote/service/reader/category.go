package reader

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/negotiate"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// shelf is the page of a category.
type shelf struct {
	view.Shelf
	covers []cover // of its entries
}

// cover is the paper whose first page stands for an entry, and its address, relative to the
// category's.
type cover struct {
	paper int64
	at    string
}

// openShelf finds what the page of a category shows: what is visible below it, with covers.
// Whoever has a preview token sees what all see: it opens its paper alone.
func (s *Reader) openShelf(tx store.Reader, r *http.Request, tenant store.Tenant, category store.Node) (*shelf, error) {
	frame, _, err := s.frame(tx, r, tenant, category)
	if err != nil {
		return nil, err
	}
	query := r.URL.Query()
	query.Del("SecurityToken")
	sh := &shelf{Shelf: view.Shelf{Frame: frame, Query: kept(query, frame)}}
	page := number(query, "Page")
	if err := s.list(sh, tx, category, page); err != nil {
		return nil, err
	}
	if page > 1 {
		sh.Canonical += "?Page=" + strconv.Itoa(page)
	}
	return sh, sh.findCovers(tx)
}

// list finds what a page of a category shows: its published papers and those of its
// categories that have any below them, with the first of these for its cover. A category
// without any is not there, nor a page without entries.
func (s *Reader) list(sh *shelf, tx store.Reader, category store.Node, number int) error {
	now := s.Now()
	skip := (number - 1) * s.Listing.Entries
	var way []store.Node // from the child of the category to the node visited
	found, looked := 0, 0
	err := tx.Walk(category.ID, func(n store.Node, depth int) error {
		if looked++; looked > s.Listing.Look {
			sh.Short = true
			return errEnough
		}
		if depth > 0 {
			way = append(way[:depth-1], n)
		}
		if depth == 0 || n.Kind != remote.PaperNode || !visible(n.Period, now) {
			return nil
		}
		found++
		switch {
		case found <= skip:
		case found > skip+s.Listing.Entries:
			sh.Next = number + 1
			return errEnough
		default:
			child := way[0]
			sh.Entries = append(sh.Entries, view.Entry{Name: child.Name, Address: child.URLName + "/", Category: child.Kind == remote.CategoryNode})
			sh.covers = append(sh.covers, cover{n.ID, pathOf(way)})
		}
		return store.Leave(1)
	})
	switch {
	case err != nil && err != errEnough:
		return err
	case found <= skip:
		return store.ErrNotFound
	}
	return nil
}

func pathOf(way []store.Node) string {
	var b strings.Builder
	for _, n := range way {
		b.WriteString(n.URLName)
		b.WriteByte('/')
	}
	return b.String()
}

// findCovers finds the first pages of the papers that stand for entries.
func (sh *shelf) findCovers(tx store.Reader) error {
	papers := make([]int64, 0, len(sh.covers))
	for _, c := range sh.covers {
		papers = append(papers, c.paper)
	}
	pages, err := tx.Covers(papers)
	if err != nil {
		return err
	}
	for i, c := range sh.covers {
		page := pages[c.paper]
		for _, image := range page.Images {
			if at := imageAddress(page.ID, image); at != "" && image.Type == "Thumb" {
				sh.Entries[i].Cover = view.Picture{Address: escaped(c.at) + at, Width: image.Width, Height: image.Height}
			}
		}
	}
	return nil
}

// unchanged sets the validator, and reports whether the caller has this page. It is weak:
// compressed or not, the page is the same.
func (sh *shelf) unchanged(w http.ResponseWriter, r *http.Request) bool {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %+v", view.Version(), sh.Shelf))
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	w.Header().Set("ETag", tag)
	return negotiate.Matches(r.Header.Values("If-None-Match"), tag)
}

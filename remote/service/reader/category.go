package reader

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// shelf is the page of a category.
type shelf struct {
	view.Shelf
	covers []cover // by entry
}

// cover is the paper whose first page is the cover of an entry, and its address relative to
// the category.
type cover struct {
	paper int64
	at    string
}

// openShelf collects what the page of a category shows: everything visible below it, with
// covers. It ignores a preview token, which opens only its own paper.
func (s *Reader) openShelf(tx store.Reader, r *http.Request, tenant store.Tenant, category store.Node) (*shelf, error) {
	frame, _, err := s.frame(tx, r, tenant, category)
	if err != nil {
		return nil, err
	}
	query := r.URL.Query()
	query.Del("SecurityToken")
	sh := &shelf{Shelf: view.Shelf{Frame: frame, Query: readerQuery(query, frame)}}
	page := number(query, "Page")
	if err := s.list(sh, tx, category, page); err != nil {
		return nil, err
	}
	if page > 1 {
		sh.Canonical += "?Page=" + strconv.Itoa(page)
	}
	return sh, sh.findCovers(tx)
}

// list adds the entries of a page: the category's published papers that have pages, and its
// subcategories with such a paper somewhere below, the first of which is the cover. It returns
// store.ErrNotFound for a page without entries.
func (s *Reader) list(sh *shelf, tx store.Reader, category store.Node, number int) error {
	now := s.Now()
	skip := (number - 1) * s.Listing.Entries
	var way []store.Node // from the category's child to the visited node
	found, looked := 0, 0
	err := tx.WalkFilled(category.ID, s.Listing.Look+1, func(n store.Node, depth int, filled bool) error {
		if looked++; looked > s.Listing.Look {
			sh.Short = true
			return errEnough
		}
		if depth > 0 {
			way = append(way[:depth-1], n)
		}
		if depth == 0 || !filled || !visible(n.Period, now) {
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

// findCovers sets the entries' covers: thumbnails of the first pages of their papers.
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
			picture := view.Picture{Address: escaped(c.at) + imageAddress(page.ID, image), Width: image.Width, Height: image.Height}
			switch {
			case image.Bytes == 0:
			case image.Type == "Thumb":
				sh.Entries[i].Cover = picture
			case image.Type == "Normal":
				sh.Entries[i].Sharp = picture
			}
		}
	}
	return nil
}

// unchanged sets the ETag and reports whether the client has this page. The ETag is weak:
// it is the same with and without compression.
func (sh *shelf) unchanged(w http.ResponseWriter, r *http.Request) bool {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %+v", view.Version(), sh.Shelf))
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	w.Header().Set("ETag", tag)
	return answer.MatchesTag(r.Header.Values("If-None-Match"), tag)
}

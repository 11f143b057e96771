package reader

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"

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

// openShelf reads what a shelf shows, but for its entries, and what the parameters ask of it. It ignores
// a preview token, which opens only its own paper.
func (s *Reader) openShelf(tx store.Reader, r *http.Request, tenant store.Tenant, category store.Node) (*shelf, wish, error) {
	frame, conf, err := s.frame(tx, r, tenant, category)
	if err != nil {
		return nil, wish{}, err
	}
	query := r.URL.Query()
	query.Del("SecurityToken")
	sh := &shelf{Shelf: view.Shelf{Frame: frame, Base: frame.Canonical, Query: readerQuery(query, frame), NewestFirst: conf.text("shelfOrder") == newest}}
	want := wished(query, sh.NewestFirst)
	sh.Search, sh.Newest, sh.Hidden = want.search, want.newest, want.search != ""
	if want.page > 1 {
		sh.Canonical += "?Page=" + strconv.Itoa(want.page)
		sh.Page = want.page
	}
	return sh, want, conf.err
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
	return has(w, r, fmt.Appendf(nil, "%s %+v", view.Version(), sh.Shelf))
}

// has sets the ETag of a page that depends on nothing but content, and reports whether the client has the page.
func has(w http.ResponseWriter, r *http.Request, content []byte) bool {
	sum := sha256.Sum256(content)
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	w.Header().Set("ETag", tag)
	return answer.MatchesTag(r.Header.Values("If-None-Match"), tag)
}

package reader

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// PaperBounds are what the page of a paper shows at the most.
type PaperBounds struct {
	Pages int
	Bytes int // of their texts
}

// DefaultPaper is the bound of a service.
var DefaultPaper = PaperBounds{Pages: 1_000, Bytes: 1 << 20}

// leaf is a page of a paper with the addresses of its images, relative to the
// paper's; "" for none that are kept here.
type leaf struct {
	store.Page
	Normal, Zoom  string
	Width, Height int // of the normal image, pixels
}

// showPaper has the page of a paper show its pages, if this reader may see it.
func (s *Reader) showPaper(p *page, tx store.Reader, r *http.Request, paper store.Node) error {
	end, preview, err := s.mayOpen(tx, r, paper)
	if err != nil {
		return err
	}
	p.preview = preview
	expiry := s.Images.Expiry(end)
	p.Pages = func(yield func(leaf) bool) {
		p.pages(s.Paper, tx, paper.ID, func(page store.Page) bool { return yield(s.leaf(paper.ID, page, expiry)) })
	}
	return nil
}

// anchor is where the page of a paper shows the one that the parameter Page asks for,
// relative to the paper's address; empty for the first, and for one that is not shown.
func (p *page) anchor(query url.Values) string {
	number := listingPage(query)
	if p.Pages == nil || number == 1 {
		return ""
	}
	for leaf := range p.Pages {
		if leaf.Number == number {
			query.Del("Page")
			return (&url.URL{Path: "./", RawQuery: query.Encode(), Fragment: fmt.Sprintf("p%d", number)}).String()
		}
	}
	return ""
}

// pages yields the pages of a paper, the last one's text cut, up to a bound.
func (p *page) pages(bounds PaperBounds, tx store.Reader, paper int64, yield func(store.Page) bool) {
	shown, room := 0, bounds.Bytes
	err := tx.Pages(paper, true, func(page store.Page) error {
		if shown == bounds.Pages || room == 0 {
			p.Cut = true
			return errEnough
		}
		if len(page.Text) > room {
			page.Text = strings.ToValidUTF8(page.Text[:room], "")
			room, p.Cut = 0, true
		} else {
			room -= len(page.Text)
		}
		shown++
		if !yield(page) {
			return http.ErrAbortHandler
		}
		return nil
	})
	if err != errEnough {
		p.err = err
	}
}

func (s *Reader) leaf(paper int64, p store.Page, expiry time.Time) leaf {
	l := leaf{Page: p}
	for _, i := range p.Images {
		if i.Bytes == 0 {
			continue
		}
		at := address.ImageFile + s.Images.Query(paper, p.ID, i.Type, expiry)
		switch i.Type {
		case "Zoom":
			l.Zoom = at
		case "Normal":
			l.Normal, l.Width, l.Height = at, i.Width, i.Height
		}
	}
	return l
}

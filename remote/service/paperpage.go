package service

import (
	"net/http"
	"strings"

	"paperfs/remote/service/store"
)

// paperBounds are what the page of a paper shows at the most.
type paperBounds struct {
	pages int
	bytes int // of their texts
}

var defaultPaperPage = paperBounds{pages: 1_000, bytes: 1 << 20}

// pages gives the pages of a paper, the last one's text cut, up to a bound.
func (p *publicPage) pages(bounds paperBounds, tx store.Reader, paper int64, yield func(store.Page) bool) {
	shown, room := 0, bounds.bytes
	err := tx.Pages(paper, true, func(page store.Page) error {
		if shown == bounds.pages || room == 0 {
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

package reader

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"paperfs/remote/service/store"
)

// mostTarget is the largest number of bytes of what the statistics call the target of a link.
const mostTarget = 300

// nameTargets replaces the addresses of followed links by what people call their targets. What is no link of its page gets
// page 0, which no paper has: nothing that a stranger makes up is counted. A message is about one part of a paper, as the
// page that sends it.
func (s *Reader) nameTargets(tx store.Reader, r *http.Request, tenant store.Tenant, node store.Node, hits []store.Hit) error {
	at := slices.IndexFunc(hits, func(h store.Hit) bool { return h.Target != "" })
	if at < 0 {
		return nil
	}
	o, err := s.openPaper(tx, r, tenant, node)
	if err == nil {
		o.view.First = o.Paper.first(hits[at].Page)
		err = o.findSpots()
	}
	for i := at; i < len(hits) && err == nil; i++ { // clicks come after the pages
		hits[i] = o.named(hits[i])
	}
	return err
}

// named returns a click with what people call the target of the link: a product, a file of the media folder, or an address. It
// returns none for what is no link, and for links to pages of the paper: the views of the page tell of those.
func (o *opened) named(h store.Hit) store.Hit {
	i := slices.IndexFunc(o.spots[h.Page], func(s spot) bool {
		href := s.Href.Attribute()
		return href[:min(len(href), hitLink)] == h.Target && s.Page == 0
	})
	if i < 0 {
		return store.Hit{}
	}
	s := o.spots[h.Page][i]
	h.Target = cmp.Or(s.called, string(s.Href))
	h.Target = strings.ToValidUTF8(h.Target[:min(len(h.Target), mostTarget)], "")
	return h
}

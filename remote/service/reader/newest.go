package reader

import (
	"log/slog"
	"net/http"
	"net/url"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// serveNewest leads to the newest paper that can be read now, in a category or below it. The address stays the same for ever,
// so it may be printed, and what it leads to does not: no cache keeps the answer. Other parameters are passed on.
func (s *Reader) serveNewest(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	s.serveAnswer(w, r, path, log, func(p *page, tx store.Reader) error {
		tenant, node, err := address.NodeAt(tx, r.Host, path)
		if err == nil && node.Kind == remote.PaperNode {
			err = store.ErrNotFound
		}
		if p.whole = true; err != nil || p.otherwise() {
			return err
		}
		if err := p.enter(tenant); err != nil {
			return err
		}
		var sh shelf
		if err := p.list(&sh, tx, node, wish{page: 1, newest: true}); err != nil {
			return err
		}
		p.answered = true
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Location", (&url.URL{Path: "./" + sh.covers[0].at, RawQuery: r.URL.RawQuery}).String()) // relative: a proxy may serve this under another path
		w.WriteHeader(http.StatusFound)
		return nil
	})
}

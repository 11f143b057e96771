package reader

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// Sizes of a paper in a frame of another site, in pixels, unless that asks for less.
const (
	embeddedWidth  = 800
	embeddedHeight = 640
)

// serveEmbed tells other sites how to show a paper that anybody may see now (oembed.com). It says what the page itself says.
func (s *Reader) serveEmbed(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	s.serveAnswer(w, r, path, log, func(p *page, tx store.Reader) error {
		tenant, node, err := address.NodeAt(tx, r.Host, path)
		if err == nil && (node.Kind != remote.PaperNode || r.URL.Query().Has("SecurityToken")) {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		o, err := s.openPaper(tx, r, tenant, node)
		if err != nil {
			return err
		}
		at, _, _ := strings.Cut(o.view.Canonical, "?")
		width, height := asked(r, "maxwidth", embeddedWidth), asked(r, "maxheight", embeddedHeight)
		said := map[string]any{"version": "1.0", "type": "rich", "title": o.view.Title, "provider_name": o.view.Site, "width": width, "height": height,
			"html": view.Form(`<iframe src="{}" title="{}" width="{}" height="{}" style="border:0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`, at, o.view.Title, width, height)}
		if cover := o.view.Cover; cover.Address != "" {
			said["thumbnail_url"], said["thumbnail_width"], said["thumbnail_height"] = cover.Address, cover.Width, cover.Height
		}
		text, err := json.Marshal(said)
		if err != nil {
			return err
		}
		w.Header().Set("Access-Control-Allow-Origin", "*") // scripts of other sites may read what anybody may
		return p.plainly("application/json", text)
	})
}

// asked returns a size that a parameter asks for, at most the usual one.
func asked(r *http.Request, parameter string, usual int) int {
	if query := r.URL.Query(); query.Has(parameter) {
		return min(number(query, parameter), usual)
	}
	return usual
}

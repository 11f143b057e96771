package reader

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// opened is a paper that the client may see.
type opened struct {
	*Reader
	tx       store.Reader
	request  *http.Request
	tenant   store.Tenant
	node     store.Node
	preview  bool
	pictured bool     // it has pages
	shop     *shop    // nil for none
	hosts    []string // of media that are shown
	view     view.Paper
	spots    map[int][]spot
	titles   map[int]string        // the first title of each page
	files    map[int64]*store.File // targets of links; nil for a missing file
}

// openPaper reads what the page of a paper shows, except for contents, links and pages.
func (s *Reader) openPaper(tx store.Reader, r *http.Request, tenant store.Tenant, node store.Node) (*opened, error) {
	end, preview, err := s.mayOpen(tx, r, node)
	if err != nil {
		return nil, err
	}
	o := &opened{Reader: s, tx: tx, request: r, tenant: tenant, node: node, preview: preview}
	frame, conf, err := s.frame(tx, r, tenant, node)
	if err != nil {
		return nil, err
	}
	if frame.Hidden = preview; preview {
		frame.Ends = end.UTC().Format(time.RFC3339)
	}
	o.view = o.newView(frame, conf)
	if o.shop = shopOf(conf, tenant); o.shop != nil {
		o.view.Shop = o.shop.view(node.ID, preview)
	}
	o.hosts = strings.Fields(conf.text("mediaHosts"))
	offered := conf.flag("iconPdf")
	if conf.err != nil {
		return nil, conf.err
	}
	if err := o.findPDF(offered); err != nil {
		return nil, err
	}
	if err := o.look(); err != nil {
		return nil, err
	}
	if err := o.since(); err != nil {
		return nil, err
	}
	if o.view.First > 1 {
		o.view.Canonical += "?Page=" + strconv.Itoa(o.view.First)
	}
	return o, nil
}

// newView returns what settings and parameters say about the page.
func (o *opened) newView(frame view.Frame, conf *settings) view.Paper {
	query := o.request.URL.Query()
	v := view.Paper{Frame: frame, Layout: view.Layout(conf.text("pageLayout")), Maximize: conf.flag("autoMaximize"),
		MaxZoom: conf.number("maxZoom"), Print: conf.flag("iconPrint"), Text: query.Get("View") == "text", Counted: !o.preview,
		Query: readerQuery(query, frame), Step: o.Paper.Pages, First: o.Paper.first(number(query, "Page")),
		Paired: conf.wishes.Paired && !conf.isSet("pageLayout"), Labels: conf.wishes.Labels}
	if v.Sharp = v.First; query.Has("Sharp") {
		v.Sharp = largeFrom(number(query, "Sharp"))
	}
	v.SharpEnd = (v.Sharp/large + 1) * large
	// A request for a page of this part was redirected to this address (see elsewhere).
	v.Anchored = !v.Text && query.Get("Page") == strconv.Itoa(v.First)
	return v
}

// findPDF finds out whether there is a PDF to offer.
func (o *opened) findPDF(offered bool) error {
	if !offered {
		return nil
	}
	_, err := o.tx.Rendition(o.node.ID)
	o.view.PDF = err == nil
	return store.IgnoreNotFound(err)
}

// look finds icon and cover, which are images of the first page, and the beginning of its text.
func (o *opened) look() error {
	err := o.tx.Pages(o.node.ID, o.view.Description == "", func(p store.Page) error {
		o.pictured, o.view.Home = true, !o.preview
		if o.view.Description == "" {
			o.view.Description = beginning(p.Text)
		}
		for _, i := range p.Images {
			at := o.image(p.ID, i)
			switch {
			case at == "":
			case i.Type == "Normal" && !o.preview:
				o.view.Cover = view.Picture{Address: o.view.Canonical + at, Width: i.Width, Height: i.Height}
			case i.Type == "Thumb":
				o.view.Icon = at
			}
		}
		return errEnough
	})
	if err == errEnough {
		return nil
	}
	return err
}

// mostDescribed is the largest number of bytes of a text that describes a paper.
const mostDescribed = 200

// beginning returns the first words of a text.
func beginning(text string) string {
	if len(text) <= mostDescribed {
		return strings.Join(strings.Fields(text), " ")
	}
	words := strings.Fields(strings.ToValidUTF8(text[:mostDescribed], ""))
	if len(words) > 1 {
		words = words[:len(words)-1] // it may be cut
	}
	return strings.Join(words, " ") + " …"
}

// since finds since when the paper is published.
func (o *opened) since() error {
	one := []found{{paper: o.node}}
	err := dates(o.tx, one)
	o.view.Since = one[0].date
	return err
}

// validator returns the ETag, a hash of everything that the page depends on. It is weak: it is
// the same with and without compression.
func (o *opened) validator() (string, error) {
	edition, err := o.tx.Edition(o.node.ID)
	v := &o.view
	parts, also := json.Marshal(map[string]any{"program": view.Version(), "since": v.Since, "paper": o.node.ID, "edition": edition, "frame": v.Frame, "layout": v.Layout,
		"paired": v.Paired, "maximize": v.Maximize, "zoom": v.MaxZoom, "print": v.Print, "pdf": v.PDF, "text": v.Text, "query": v.Query, "first": v.First, "sharp": v.Sharp,
		"anchored": v.Anchored, "bounds": o.Paper, "shop": v.Shop, "hosts": o.hosts})
	sum := sha256.Sum256(parts)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`, cmp.Or(err, also)
}

// unchanged sets the ETag, except for previews, and reports whether the client has this page.
func (o *opened) unchanged(h http.Header) (bool, error) {
	if o.preview {
		return false, nil
	}
	tag, err := o.validator()
	if err != nil {
		return false, err
	}
	h.Set("ETag", tag)
	return answer.MatchesTag(o.request.Header.Values("If-None-Match"), tag), nil
}

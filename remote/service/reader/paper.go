package reader

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/service/negotiate"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// opened is a paper that the client may see.
type opened struct {
	*Reader
	tx      store.Reader
	request *http.Request
	tenant  store.Tenant
	node    store.Node
	preview bool
	shop    *shop // nil for none
	view    view.Paper
	spots   map[int][]spot
	titles  map[int]string        // the first title of each page
	files   map[int64]*store.File // targets of links; nil for a missing file
}

// openPaper reads what the page of a paper shows, except for contents, links and pages.
func (s *Reader) openPaper(tx store.Reader, r *http.Request, tenant store.Tenant, node store.Node) (*opened, error) {
	_, preview, err := s.mayOpen(tx, r, node)
	if err != nil {
		return nil, err
	}
	o := &opened{Reader: s, tx: tx, request: r, tenant: tenant, node: node, preview: preview}
	frame, conf, err := s.frame(tx, r, tenant, node)
	if err != nil {
		return nil, err
	}
	frame.Hidden = preview
	query := r.URL.Query()
	o.view = view.Paper{Frame: frame, Layout: view.Layout(conf.text("pageLayout")), Maximize: conf.flag("autoMaximize"),
		MaxZoom: conf.number("maxZoom"), Print: conf.flag("iconPrint"), Text: query.Get("View") == "text", Counted: !preview,
		Query: readerQuery(query, frame), Step: s.Paper.Pages, First: s.Paper.first(number(query, "Page"))}
	if o.view.Sharp = o.view.First; query.Has("Sharp") {
		o.view.Sharp = largeFrom(number(query, "Sharp"))
	}
	o.view.SharpEnd = (o.view.Sharp/large + 1) * large
	// A request for a page of this part was redirected to this address (see elsewhere).
	o.view.Led = !o.view.Text && query.Get("Page") == strconv.Itoa(o.view.First)
	if o.shop = shopOf(conf, tenant); o.shop != nil {
		o.view.Shop = o.shop.view(node.ID, preview)
	}
	if conf.flag("iconPdf") {
		_, err := tx.Rendition(node.ID)
		if o.view.PDF = err == nil; err != nil && !store.IsNotFound(err) {
			return nil, err
		}
	}
	if conf.err != nil {
		return nil, conf.err
	}
	if err := o.look(); err != nil {
		return nil, err
	}
	if o.view.First > 1 {
		o.view.Canonical += "?Page=" + strconv.Itoa(o.view.First)
	}
	return o, nil
}

// look finds icon and cover, which are images of the first page.
func (o *opened) look() error {
	err := o.tx.Pages(o.node.ID, false, func(p store.Page) error {
		for _, i := range p.Images {
			at := o.image(p.ID, i)
			switch {
			case at == "":
			case i.Type == "Normal" && !o.preview:
				o.view.Cover = o.view.Canonical + at
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

// base returns the relative address of the service's base.
func (o *opened) base() string { return strings.Repeat("../", o.view.Depth) }

// image returns the address of a picture relative to the paper, or "" if the service has no
// such picture.
func (o *opened) image(page int64, i store.Image) string {
	at := imageAddress(page, i)
	if at != "" && o.preview {
		at += "&SecurityToken=" + url.QueryEscape(o.request.URL.Query().Get("SecurityToken"))
	}
	return at
}

// validator returns the ETag, a hash of everything that the page depends on. It is weak: it is
// the same with and without compression.
func (o *opened) validator() (string, error) {
	edition, err := o.tx.Edition(o.node.ID)
	v := &o.view
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %+v %q %t %d %t %t %q %d %t %+v %+v %t %d", view.Version(), o.node.ID, edition, v.Frame, v.Layout, v.Maximize, v.MaxZoom, v.Print, v.Text, v.Query, v.First, v.Led, o.Paper, v.Shop, v.PDF, v.Sharp))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`, err
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
	return negotiate.Matches(o.request.Header.Values("If-None-Match"), tag), nil
}

// count counts the pages of the paper and of this part.
func (o *opened) count() (err error) {
	v := &o.view
	v.Total, err = o.tx.PageCount(o.node.ID)
	next := (v.First/v.Step + 1) * v.Step // first page of the next part
	v.Count = max(0, min(v.Total+1, next)-v.First)
	return err
}

// findTitles reads the table of contents.
func (o *opened) findTitles() error {
	titles, err := o.tx.Titles(o.node.ID)
	o.titles = map[int]string{}
	for _, t := range titles {
		for line := range strings.SplitSeq(t.Lines, "\n") {
			c := view.Chapter{Title: strings.TrimLeft(line, "\t"), Page: t.Page, Href: template.URL(o.pageAt(t.Page))}
			c.Level = len(line) - len(c.Title)
			o.view.Contents = append(o.view.Contents, c)
			if o.titles[t.Page] == "" {
				o.titles[t.Page] = c.Title
			}
		}
	}
	return err
}

// pageAt returns the address of a page, relative to the current address.
func (o *opened) pageAt(number int) string {
	if o.here(number) {
		return "#p" + strconv.Itoa(number)
	}
	return "./" + o.view.And("Page="+strconv.Itoa(number))
}

// here reports whether a page is in this part.
func (o *opened) here(number int) bool {
	return o.Paper.first(number) == o.view.First
}

// pages returns an iterator over the pages of this part. It stores an error in err.
func (o *opened) pages(err *error) func(yield func(view.Page) bool) {
	return func(yield func(view.Page) bool) {
		room, soon := o.Paper.Bytes, o.Paper.Early
		failed := o.tx.Pages(o.node.ID, true, func(p store.Page) error {
			if !o.here(p.Number) {
				return nil
			}
			page := view.Page{Number: p.Number, Text: strings.TrimSpace(p.Text), TextElsewhere: len(p.Text) > room}
			if page.TextElsewhere {
				page.Text = ""
			}
			room -= len(page.Text)
			if !o.view.Text && page.Text != "" {
				if page.Number >= o.view.Sharp {
					soon -= len(page.Text)
				}
				if page.TextLater = page.Number < o.view.Sharp || soon < 0; page.TextLater {
					page.Text = ""
				}
			}
			o.pictures(&page, p)
			for _, s := range o.spots[p.Number] {
				page.Spots = append(page.Spots, s.Spot)
				if s.item != nil {
					page.Items = append(page.Items, *s.item)
				}
			}
			if !yield(page) {
				return errEnough
			}
			return nil
		})
		if failed != errEnough {
			*err = failed
		}
	}
}

func (o *opened) pictures(page *view.Page, p store.Page) {
	for _, i := range p.Images {
		picture := view.Picture{Address: o.image(p.ID, i), Width: i.Width, Height: i.Height}
		switch {
		case picture.Address == "":
		case i.Type == "Zoom":
			page.Zoom = picture
		case i.Type == "Normal":
			page.Normal = picture
		default:
			page.Thumb = picture.Address
		}
	}
}

// searchNames are the parameters that search a paper. The first takes precedence.
var searchNames = []string{"GoToAndHighlightFirstSearchResult", "GoToFirstSearchResult"}

func searches(query url.Values) bool { return slices.ContainsFunc(searchNames, query.Has) }

// elsewhere returns the address of the page that the parameters request, relative to the
// paper, or "" if the current address shows it. The address names the part besides the anchor:
// browsers do not send anchors, and the service must know that the part's first picture need
// not be the one that is seen first (view.Paper.Led).
func (o *opened) elsewhere() (string, error) {
	query := o.request.URL.Query()
	asked, searched, marked := number(query, "Page"), false, ""
	for _, name := range searchNames {
		if !searched && query.Has(name) {
			found, err := o.firstHit(query.Get(name))
			if err != nil {
				return "", err
			}
			asked, searched = found, true
			if strings.Contains(name, "Highlight") {
				marked = query.Get(name)
			}
		}
		query.Del(name)
	}
	if !searched && asked == 1 {
		return "", nil
	}
	there, begins := false, !searched && asked == o.view.First
	err := o.tx.Pages(o.node.ID, false, func(p store.Page) error {
		if there = p.Number == asked || begins && o.here(p.Number); there {
			return errEnough
		}
		return nil
	})
	if err != nil && err != errEnough {
		return "", err
	}
	query.Del("Page")
	query.Del("Sharp")
	to := &url.URL{Path: "./"}
	switch first := o.Paper.first(asked); {
	case there && begins, !there && o.view.First == 1 && !searched:
		return "", nil
	case there && asked > 1:
		to.Fragment = fmt.Sprintf("p%d", asked)
		query.Set("Page", strconv.Itoa(first))
		if from := largeFrom(asked); from != largeFrom(first) {
			query.Set("Sharp", strconv.Itoa(from))
		}
	}
	if marked != "" {
		query.Set("Highlight", marked)
	}
	to.RawQuery = query.Encode()
	return to.String(), nil
}

// firstHit returns the number of the first page that contains the phrase, or 1 if none does.
func (o *opened) firstHit(phrase string) (int, error) {
	phrase = store.Phrase(phrase)
	if phrase == "" {
		return 1, nil
	}
	found, err := o.tx.PagesContaining(o.node.ID, phrase)
	if err != nil || len(found[o.node.ID]) == 0 {
		return 1, err
	}
	return found[o.node.ID][0], nil
}

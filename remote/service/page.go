package service

import (
	"bufio"
	_ "embed"
	"errors"
	"html/template"
	"iter"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// Failures of a page besides store.ErrNotFound.
var errToken = errors.New("the preview token does not open this paper")

//go:embed page.html.tmpl
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// publicPage is what the page of a paper or category shows.
type publicPage struct {
	Name       string
	Language   string
	Background string
	Pages      iter.Seq[publicLeaf]  // of a paper
	Entries    iter.Seq[publicEntry] // of a category
	Next       int                   // number of the page with more entries; 0 for none, and before these were read
	Short      bool                  // there may be more that was not looked at
	Cut        bool                  // the paper has more than was shown; known after Pages
	preview    bool                  // shown because of a token
	err        error                 // of Pages or Entries
}

// publicLeaf is a page of a paper with the addresses of its images, relative to
// the paper's; "" for none that are kept here.
type publicLeaf struct {
	store.Page
	Normal, Zoom  string
	Width, Height int // of the normal image, pixels
}

// publicEntry is a line in the page of a category.
type publicEntry struct {
	Name     string
	Address  string // relative to the category's
	Category bool
}

// servePage answers an address outside /V2/ and /media/: that of a paper shows
// its name, images and texts, within its publication period or with a preview token;
// that of a category lists what is visible below it. What is not visible is
// not there. An address without its last slash leads to that with it.
func (s *Service) servePage(l *requestLog, r *http.Request, path string) {
	h := l.Header()
	h.Set("Cache-Control", "no-cache") // periods and settings change
	if !mayRead(l, r, false) {
		return
	}
	whole := strings.HasSuffix(path, "/")
	if !whole {
		path += "/"
	}
	out := answer.NewSpool(l, s.options.Data, s.spoolFrom)
	defer out.Discard()
	answered := false // with something else than the page
	err := s.store.Read(r.Context(), func(tx store.Reader) error {
		page, err := s.publicPage(tx, r, path)
		if err == nil {
			err = page.there()
		}
		if err != nil {
			return err
		}
		if answered = !mayRead(l, r, true); answered {
			return nil
		}
		if answered = !whole; answered {
			h.Set("Location", withSlash(r.URL))
			l.WriteHeader(http.StatusPermanentRedirect)
			return nil
		}
		return page.show(out, h)
	})
	if err != nil {
		s.pageFailure(l, out, err)
	} else if !answered {
		_ = out.Finish() // the client may be gone
	}
}

// there is the failure of a category that has nothing to show.
func (p *publicPage) there() error {
	if p.Entries == nil {
		return nil
	}
	for range p.Entries {
		return nil
	}
	return p.err
}

// show writes a page as its parts are read.
func (p *publicPage) show(out *answer.Spool, h http.Header) error {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'")
	if p.preview { // the token in the address is for its owner only
		h.Set("Cache-Control", "private, no-store")
		h.Set("Referrer-Policy", "no-referrer")
	}
	w := bufio.NewWriterSize(out, 8<<10)
	if err := pageTemplate.Execute(w, p); err != nil {
		return err
	}
	if p.err != nil {
		return p.err
	}
	return w.Flush()
}

// pageFailure answers in place of a page. One of which a part went out is
// broken off: nobody may take it for the whole.
func (s *Service) pageFailure(l *requestLog, out *answer.Spool, err error) {
	if out.Begun() {
		s.log.Error("page broken off", "request", l.number, "error", err)
		panic(http.ErrAbortHandler)
	}
	h := l.Header()
	h.Del("Content-Security-Policy")
	h.Del("Referrer-Policy")
	h.Set("Cache-Control", "no-cache")
	switch {
	case isNone(err):
		notFound(l)
	case errors.Is(err, errToken):
		h.Set("WWW-Authenticate", "SecurityToken")
		plainError(l, http.StatusUnauthorized, "This preview link is not valid, or not any more, or not for your address.")
	default:
		s.log.Error("page not served", "request", l.number, "error", err)
		plainError(l, http.StatusInternalServerError, "The page cannot be shown now.")
	}
}

// withSlash is the address with a slash behind it, relative to the one without:
// a proxy may show the service under another path.
func withSlash(u *url.URL) string {
	return (&url.URL{Path: path.Base(u.Path) + "/", RawQuery: u.RawQuery}).String()
}

func (s *Service) publicPage(tx store.Reader, r *http.Request, path string) (*publicPage, error) {
	tenant, err := tx.TenantByHost(hostName(r.Host))
	if err != nil {
		return nil, err
	}
	node, err := findURL(tx, tenant, path)
	if err != nil {
		return nil, err
	}
	page := &publicPage{Name: node.Name}
	if node.Kind == remote.PaperNode {
		var end time.Time
		if end, page.preview, err = s.mayOpen(tx, r, node); err != nil {
			return nil, err
		}
		expiry := s.imageExpiry(end)
		page.Pages = func(yield func(publicLeaf) bool) {
			page.pages(s.paperPage, tx, node.ID, func(p store.Page) bool { return yield(s.leaf(node.ID, p, expiry)) })
		}
	} else {
		number := listingPage(r.URL.Query())
		page.Entries = func(yield func(publicEntry) bool) { page.err = page.list(s, tx, node, number, yield) }
	}
	return page, page.dress(tx, node.ID)
}

func (s *Service) leaf(paper int64, p store.Page, expiry time.Time) publicLeaf {
	leaf := publicLeaf{Page: p}
	for _, i := range p.Images {
		if i.Bytes == 0 {
			continue
		}
		address := imageFile + s.imageQuery(paper, p.ID, i.Type, expiry)
		switch i.Type {
		case "Zoom":
			leaf.Zoom = address
		case "Normal":
			leaf.Normal, leaf.Width, leaf.Height = address, i.Width, i.Height
		}
	}
	return leaf
}

// mayOpen holds the page of a paper to its period and to a preview token,
// which has to be good where one is given. It says whether one was, and when
// the right to see the paper ends; the zero time where no end is set.
func (s *Service) mayOpen(tx store.Reader, r *http.Request, paper store.Node) (end time.Time, preview bool, err error) {
	query := r.URL.Query()
	if !query.Has("SecurityToken") {
		if !visible(paper.Period, s.now()) {
			return end, false, store.ErrNotFound
		}
		return paper.Period.To, false, nil
	}
	guid, ok := parseGUID(query.Get("SecurityToken"))
	if !ok {
		return end, true, errToken
	}
	token, err := tx.Token(guid)
	switch {
	case isNone(err):
		return end, true, errToken
	case err != nil:
		return end, true, err
	case token.Node != paper.ID, !s.now().Before(token.Expires), token.IP != "" && token.IP != clientIP(r):
		return end, true, errToken
	}
	return token.Expires, true, nil
}

// visible tells whether a paper is published.
func visible(p remote.Period, now time.Time) bool {
	return p.IsZero() || !now.Before(p.From) && now.Before(p.To)
}

// clientIP is the address that a request came from, in the form of canonicalIP.
func clientIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	return ip.Unmap().WithZone("").String()
}

// A value of another form is as good as none: it would stand in the page's
// markup.
var (
	languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)
	color       = regexp.MustCompile(`^(#[0-9A-Fa-f]{3,8}|[A-Za-z]{1,30})$`)
)

// dress takes over the settings that pages obey.
func (p *publicPage) dress(tx store.Reader, node int64) error {
	for _, obeyed := range []struct {
		name string
		form *regexp.Regexp
		into *string
	}{
		{"language", languageTag, &p.Language},
		{"backgroundColor", color, &p.Background},
	} {
		s, _ := findSetting(obeyed.name)
		text, err := settingValue(tx, node, s)
		if err != nil {
			return err
		}
		if obeyed.form.MatchString(text) {
			*obeyed.into = text
		}
	}
	return nil
}

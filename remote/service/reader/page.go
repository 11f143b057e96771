package reader

import (
	"bufio"
	_ "embed"
	"errors"
	"html/template"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/plain"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

//go:embed page.html.tmpl
var source string

var form = template.Must(template.New("page").Parse(source))

// page is what the page of a paper or category shows.
type page struct {
	Name       string
	Language   string
	Background string
	Pages      iter.Seq[leaf]  // of a paper
	Entries    iter.Seq[entry] // of a category
	Next       int             // number of the page with more entries; 0 for none, and before these were read
	Short      bool            // there may be more that was not looked at
	Cut        bool            // the paper has more than was shown; known after Pages
	preview    bool            // shown because of a token
	err        error           // of Pages or Entries
}

// servePage answers an address outside /V2/ and /media/: that of a paper shows
// its name, images and texts, within its publication period or with a preview token;
// that of a category lists what is visible below it. Invisible
// nodes are not found. An address without its last slash leads to that with it.
func (s *Reader) servePage(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache") // periods and settings change
	whole := strings.HasSuffix(path, "/")
	if !whole {
		path += "/"
	}
	out := answer.NewSpool(w, s.Data, s.SpoolFrom)
	defer out.Discard()
	answered := false // with something else than the page
	err := s.Store.Read(r.Context(), func(tx store.Reader) error {
		page, err := s.page(tx, r, path)
		if err == nil {
			err = page.there()
		}
		if err != nil {
			return err
		}
		if answered = !plain.MayRead(w, r, true); answered {
			return nil
		}
		if answered = !whole; answered {
			h.Set("Location", withSlash(r.URL))
			w.WriteHeader(http.StatusPermanentRedirect)
			return nil
		}
		page.guard(h)
		if at := page.anchor(r.URL.Query()); at != "" {
			answered = true
			h.Set("Location", at)
			w.WriteHeader(http.StatusFound)
			return nil
		}
		return page.show(out, h)
	})
	if err != nil {
		pageFailure(w, r, out, err, log)
	} else if !answered {
		_ = out.Finish() // the client may be gone
	}
}

// page finds what is at an address.
func (s *Reader) page(tx store.Reader, r *http.Request, path string) (*page, error) {
	tenant, err := tx.TenantByHost(address.Host(r.Host))
	if err != nil {
		return nil, err
	}
	node, err := address.FindNode(tx, tenant, path)
	if err != nil {
		return nil, err
	}
	p := &page{Name: node.Name}
	if node.Kind == remote.PaperNode {
		err = s.showPaper(p, tx, r, node)
	} else {
		s.showCategory(p, tx, r, node)
	}
	if err != nil {
		return nil, err
	}
	return p, p.dress(tx, node.ID)
}

// there is the failure of a category that has nothing to show.
func (p *page) there() error {
	if p.Entries == nil {
		return nil
	}
	for range p.Entries {
		return nil
	}
	return p.err
}

// guard keeps the token in a preview's address for its owner.
func (p *page) guard(h http.Header) {
	if p.preview {
		h.Set("Cache-Control", "private, no-store")
		h.Set("Referrer-Policy", "no-referrer")
	}
}

// show writes a page as its parts are read.
func (p *page) show(out *answer.Spool, h http.Header) error {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'")
	w := bufio.NewWriterSize(out, 8<<10)
	if err := form.Execute(w, p); err != nil {
		return err
	}
	if p.err != nil {
		return p.err
	}
	return w.Flush()
}

// pageFailure answers in place of a page. One of which a part went out is
// broken off: nobody may take it for the whole.
func pageFailure(w http.ResponseWriter, r *http.Request, out *answer.Spool, err error, log *slog.Logger) {
	if out.Begun() {
		if r.Context().Err() == nil {
			log.Error("page broken off", "error", err)
		}
		panic(http.ErrAbortHandler)
	}
	h := w.Header()
	h.Del("Content-Security-Policy")
	h.Del("Referrer-Policy")
	h.Set("Cache-Control", "no-cache")
	switch {
	case store.IsNotFound(err):
		plain.NotFound(w)
	case errors.Is(err, errToken):
		h.Set("WWW-Authenticate", "SecurityToken")
		plain.Error(w, http.StatusUnauthorized, "This preview link is not valid, has expired, or is not for your address.")
	default:
		failed(w, r, err, log, "page not served", "The page cannot be shown now.")
	}
}

// withSlash is the address with a slash behind it, relative to the one without:
// a proxy may show the service under another path.
func withSlash(u *url.URL) string {
	return (&url.URL{Path: path.Base(u.Path) + "/", RawQuery: u.RawQuery}).String()
}

// A value of another form is as good as none: it would stand in the page's
// markup.
var (
	languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)
	color       = regexp.MustCompile(`^(#[0-9A-Fa-f]{3,8}|[A-Za-z]{1,30})$`)
)

// dress takes over the settings that pages obey.
func (p *page) dress(tx store.Reader, node int64) error {
	for _, obeyed := range []struct {
		name string
		form *regexp.Regexp
		into *string
	}{
		{"language", languageTag, &p.Language},
		{"backgroundColor", color, &p.Background},
	} {
		setting, _ := property.FindSetting(obeyed.name)
		text, err := setting.Value(tx, node)
		if err != nil {
			return err
		}
		if obeyed.form.MatchString(text) {
			*obeyed.into = text
		}
	}
	return nil
}

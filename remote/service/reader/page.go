package reader

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/gate"
	"paperfs/remote/service/negotiate"
	"paperfs/remote/service/plain"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// servePage answers an address outside /V2/, /media/ and the assets: that of a paper
// shows it, within its publication period or with a preview token; that of a category
// lists what is visible below it. Invisible nodes are not found. An address without its
// last slash leads to that with it.
func (s *Reader) servePage(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	w.Header().Set("Cache-Control", "no-cache") // periods and settings change
	whole := strings.HasSuffix(path, "/")
	if !whole {
		path += "/"
	}
	out := answer.NewSpool(w, s.Data, s.SpoolFrom)
	defer out.Discard()
	p := &page{Reader: s, w: w, r: r, out: out, whole: whole}
	defer p.end()
	out.Room = s.Room
	for again := true; again; {
		err := p.read(func(tx store.Reader) error { return p.answer(tx, path) })
		if err != nil {
			p.failed(err, log)
			return
		}
		again = p.await()
	}
	p.send()
}

// page is a request for the page of a paper or category.
type page struct {
	*Reader
	w        http.ResponseWriter
	r        *http.Request
	out      *answer.Spool
	whole    bool // the address has its slash
	answered bool // with something else than a page
	place    *gate.Ticket
	frame    *view.Frame // of the paper, where it may be seen
	query    string      // of its address
	shared               // with others who ask for the same
	export   string      // origin that orders may be sent to; or ""
}

// read runs f in a read transaction. A search that finds the gate full waits for a place, and
// then starts again.
func (p *page) read(f func(store.Reader) error) error {
	for {
		err := p.Store.Read(p.r.Context(), f)
		p.place.Leave()
		if !errors.Is(err, errFull) {
			return err
		}
		if err := p.place.Enter(p.r.Context()); err != nil {
			return err
		}
	}
}

// errFull ends the read transaction of a page whose search finds the gate full.
var errFull = errors.New("too many searches go on")

// enter takes a place at the gate for a search. A search in a paper that cannot be seen needs none.
func (p *page) enter(tenant store.Tenant) error {
	if p.place == nil {
		p.place = p.Searches.Ticket(tenant.ID)
	}
	if !p.place.Try() {
		return errFull
	}
	return nil
}

// answer answers with what is at an address.
func (p *page) answer(tx store.Reader, path string) error {
	tenant, err := tx.TenantByHost(address.Host(p.r.Host))
	if err != nil {
		return err
	}
	node, err := address.FindNode(tx, tenant, path)
	if err != nil {
		return err
	}
	if node.Kind == remote.PaperNode {
		return p.answerPaper(tx, tenant, node)
	}
	sh, err := p.openShelf(tx, p.r, tenant, node)
	if err != nil || p.otherwise() {
		return err
	}
	if sh.unchanged(p.w, p.r) {
		p.notModified()
		return nil
	}
	return p.write(sh.Write)
}

func (p *page) answerPaper(tx store.Reader, tenant store.Tenant, node store.Node) error {
	o, err := p.openPaper(tx, p.r, tenant, node)
	if err != nil {
		return err
	}
	p.export = o.shop.origin()
	p.frame, p.query = &o.view.Frame, o.view.Query
	h := p.w.Header()
	if o.preview { // the token in its address, and in what leads there, is for its owner
		h.Set("Cache-Control", "private, no-store")
		h.Set("Referrer-Policy", "no-referrer")
	}
	if p.otherwise() {
		return nil
	}
	if searches(p.r.URL.Query()) {
		if err := p.enter(tenant); err != nil {
			return err
		}
	}
	at, err := o.elsewhere()
	if err != nil {
		return err
	}
	if at != "" {
		p.answered = true
		h.Set("Location", at)
		p.w.WriteHeader(http.StatusFound)
		return nil
	}
	unchanged, err := o.unchanged(h)
	if err != nil {
		return err
	}
	if unchanged {
		p.notModified()
		return nil
	}
	if !o.preview && p.claim(o, h.Get("ETag")) {
		return nil
	}
	for _, find := range []func() error{o.count, o.findTitles, o.findSpots} {
		if err := find(); err != nil {
			return err // a transaction that met an error answers nothing more
		}
	}
	var failed error
	o.view.Pages = o.pages(&failed)
	return p.write(func(w io.Writer) error { return errors.Join(o.view.Write(w), failed) })
}

// otherwise answers a request whose method is wrong, or whose address lacks its slash.
func (p *page) otherwise() bool {
	if !plain.MayRead(p.w, p.r, true) {
		p.answered = true
	} else if !p.whole {
		p.answered = true
		p.w.Header().Set("Location", withSlash(p.r.URL))
		p.w.WriteHeader(http.StatusPermanentRedirect)
	}
	return p.answered
}

// notModified answers a client that has this page, with the headers that a cache needs
// (RFC 9110, 15.4.5).
func (p *page) notModified() {
	p.answered = true
	p.w.Header().Set("Vary", varies)
	p.w.WriteHeader(http.StatusNotModified)
}

// varies is the header of a request that selects the form of a page.
const varies = "Accept-Encoding"

// head sets the headers of a page.
func (p *page) head(zipped bool) {
	h := p.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	pageHeaders(h, p.export)
	h.Set("Vary", varies)
	if zipped {
		h.Set("Content-Encoding", "gzip")
	}
}

// write writes a page as its parts are read, compressed where the client takes that.
func (p *page) write(all func(io.Writer) error) error {
	zipped := negotiate.AcceptsGzip(p.r)
	p.head(zipped)
	var to io.Writer = p.out
	var zip *gzip.Writer
	if zipped {
		zip = negotiate.Compressor(p.out)
		defer negotiate.Return(zip)
		to = zip
	}
	w := bufio.NewWriterSize(to, 8<<10)
	if err := errors.Join(all(w), w.Flush()); err != nil {
		return err
	}
	if zip != nil {
		return zip.Close()
	}
	return nil
}

// pageHeaders restricts a page to this host, and to the origin that its orders may be sent to.
func pageHeaders(h http.Header, export string) {
	h.Set("Content-Security-Policy", view.Policy(export))
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
	if h.Get("Referrer-Policy") == "" {
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	}
}

// permissions denies a page what no reader needs.
const permissions = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

// failed answers in place of the page. A reader whose search has no room beside others, or
// takes too long, gets a page that says so.
func (p *page) failed(err error, log *slog.Logger) {
	if p.frame == nil || !errors.Is(err, store.ErrSlow) || !searches(p.r.URL.Query()) || p.out.Begun() || p.r.Context().Err() != nil {
		pageFailure(p.w, p.r, p.out, err, log)
		return
	}
	log.Warn("search not made", "error", err)
	h := p.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Retry-After", plain.RetryAfter)
	pageHeaders(h, "")
	var body strings.Builder
	if err := (&view.Busy{Frame: *p.frame, Query: p.query}).Write(&body); err != nil {
		panic(fmt.Errorf("the page of a search that has to wait: %w", err)) // it shows texts
	}
	p.w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(p.w, body.String()) // the client may be gone
}

// pageFailure answers in place of a page. It breaks off a page that was sent in part: no client
// may take it for the whole.
func pageFailure(w http.ResponseWriter, r *http.Request, out *answer.Spool, err error, log *slog.Logger) {
	if out.Begun() {
		if r.Context().Err() == nil {
			log.Error("page broken off", "error", err)
		}
		panic(http.ErrAbortHandler)
	}
	h := w.Header()
	for _, name := range []string{"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy", "Referrer-Policy", "Content-Encoding", "Vary", "ETag"} {
		h.Del(name)
	}
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

// withSlash is the address with a slash after it, relative to the one without:
// a proxy may show the service under another path.
func withSlash(u *url.URL) string {
	return (&url.URL{Path: path.Base(u.Path) + "/", RawQuery: u.RawQuery}).String()
}

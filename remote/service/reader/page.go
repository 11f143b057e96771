package reader

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// servePage serves the addresses outside /V2/, /media/ and the assets: a paper within its
// publication period or with a preview token, and the list of what is visible below a
// category. Invisible nodes are not found. An address without its final slash is redirected
// to the one with it.
func (s *Reader) servePage(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	whole := strings.HasSuffix(path, "/")
	s.serveAnswer(w, r, path, log, func(p *page, tx store.Reader) error {
		if p.whole = whole; whole {
			return p.answer(tx, path)
		}
		return p.answer(tx, path+"/")
	})
}

// serveAnswer serves what a page answers at a path.
func (s *Reader) serveAnswer(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger, answers func(*page, store.Reader) error) {
	w.Header().Set("Cache-Control", "no-cache") // periods and settings change
	out := answer.NewSpool(w, s.Data, s.SpoolFrom)
	defer out.Discard()
	p := &page{Reader: s, w: w, r: r, out: out, kind: "text/html; charset=utf-8"}
	defer p.end()
	out.Room = s.Room
	for again := true; again; {
		err := p.read(func(tx store.Reader) error { return answers(p, tx) })
		if err != nil {
			p.failed(err, path, log)
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
	kind     string // media type
	whole    bool   // the address has its final slash
	answered bool   // the response is sent, and is not a page
	place    *admission.Ticket
	frame    *view.Frame // of the paper; nil until the right to see it is checked
	query    string      // of links that stay in the reader (see readerQuery)
	shared               // state shared with requests for the same page
	policy   view.Policy
}

// read runs f in a read transaction. If the gate for searches is full, it ends the transaction,
// waits for a place and runs f again.
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

// errFull ends a read transaction because the gate for searches is full.
var errFull = errors.New("too many searches go on")

// enter takes a place at the gate for a search. Call it only once the client may see the paper; anybody may see
// what is public in a category.
func (p *page) enter(tenant store.Tenant) error {
	if p.place == nil {
		p.place = p.Searches.Ticket(tenant.ID)
	}
	if !p.place.Try() {
		return errFull
	}
	return nil
}

// answer serves the paper or category at path.
func (p *page) answer(tx store.Reader, path string) error {
	tenant, node, err := address.NodeAt(tx, p.r.Host, path)
	if err != nil {
		return err
	}
	if node.Kind == remote.PaperNode {
		return p.answerPaper(tx, tenant, node)
	}
	sh, err := p.filledShelf(tx, tenant, node)
	if err != nil || p.otherwise() {
		return err
	}
	p.policy.Style = sh.Style()
	if sh.unchanged(p.w, p.r) {
		p.notModified()
		return nil
	}
	return p.write(sh.Write)
}

// filledShelf returns a shelf with its entries. To look at all papers is a search.
func (p *page) filledShelf(tx store.Reader, tenant store.Tenant, category store.Node) (*shelf, error) {
	sh, want, err := p.openShelf(tx, p.r, tenant, category)
	if err == nil && want.all() {
		err = p.enter(tenant)
	}
	if err == nil {
		err = p.list(sh, tx, category, want)
	}
	if err != nil {
		return nil, err
	}
	return sh, sh.findCovers(tx)
}

func (p *page) answerPaper(tx store.Reader, tenant store.Tenant, node store.Node) error {
	o, err := p.openPaper(tx, p.r, tenant, node)
	if err != nil {
		return err
	}
	p.policy = view.Policy{Export: o.shop.origin(), Style: o.view.Style(), Media: o.hosts}
	p.frame, p.query = &o.view.Frame, o.view.Query
	h := p.w.Header()
	if o.preview { // its address and links contain the token, which is for the token's owner
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
	if !o.pictured {
		if waits, err := p.prepared(o, tx); waits || err != nil {
			return err
		}
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
			return err // after an error, the transaction answers nothing more
		}
	}
	var failed error
	o.view.Pages = o.pages(&failed)
	return p.write(func(w io.Writer) error { return errors.Join(o.view.Write(w), failed) })
}

// otherwise answers a request that has a wrong method or lacks the final slash, and reports
// whether it did.
func (p *page) otherwise() bool {
	if !answer.MayRead(p.w, p.r, true) {
		p.answered = true
	} else if !p.whole {
		p.answered = true
		p.w.Header().Set("Location", (&url.URL{Path: path.Base(p.r.URL.Path) + "/", RawQuery: p.r.URL.RawQuery}).String()) // relative: a proxy may serve this under another path
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

// varies is the value of Vary: the request header that selects the form of an answer.
const varies = "Accept-Encoding"

// head sets the headers of a page.
func (p *page) head(zipped bool) {
	h := p.w.Header()
	h.Set("Content-Type", p.kind)
	pageHeaders(h, p.policy)
	h.Set("Vary", varies)
	if zipped {
		h.Set("Content-Encoding", "gzip")
	}
}

// write writes a page as its parts are read, compressed if the client accepts that.
func (p *page) write(all func(io.Writer) error) error {
	zipped := answer.AcceptsGzip(p.r)
	p.head(zipped)
	var to io.Writer = p.out
	var zip *gzip.Writer
	if zipped {
		zip = answer.SmallGzip.Writer(p.out)
		defer answer.SmallGzip.Return(zip)
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

// pageHeaders restricts a page to this host, and what its policy allows besides.
func pageHeaders(h http.Header, policy view.Policy) {
	h.Set("Content-Security-Policy", policy.String())
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
	if h.Get("Referrer-Policy") == "" {
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	}
}

// permissions denies browser features that no reader needs.
const permissions = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

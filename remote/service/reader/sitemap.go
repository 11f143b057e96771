package reader

import (
	"bytes"
	"encoding/xml"
	"io"
	"log/slog"
	"net/http"

	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// Addresses for search engines, below the service's base. They have no slash at the end, so that a paper or category
// may have these names, too.
const (
	robotsFile  = "/robots.txt"
	sitemapFile = "/sitemap.xml"
)

// mostSitemap is the largest number of bytes of a sitemap; papers that do not fit are left out. The number of nodes
// that are looked at is limited as that of a shelf.
const mostSitemap = 10 << 20

// serveRobots tells search engines where the sitemap is, and to leave the operations alone.
func (s *Reader) serveRobots(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	s.serveAnswer(w, r, path, log, func(p *page, tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(r.Host))
		if err != nil {
			return err
		}
		return p.plainly("text/plain; charset=utf-8", []byte("User-agent: *\nDisallow: "+escaped(string(s.Base))+"/V2/\nSitemap: "+s.Base.Public(r, tenant, sitemapFile)+"\n"))
	})
}

// serveSitemap lists the addresses of what is on the tenant's shelves. Where nothing is, there is no sitemap.
func (s *Reader) serveSitemap(w http.ResponseWriter, r *http.Request, path string, log *slog.Logger) {
	s.serveAnswer(w, r, path, log, func(p *page, tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(r.Host))
		if err != nil {
			return err
		}
		if err := p.enter(tenant); err != nil {
			return err
		}
		all, err := s.sitemap(tx, r, tenant)
		if err != nil {
			return err
		}
		return p.plainly("application/xml", all)
	})
}

// plainly answers with content of a media type.
func (p *page) plainly(kind string, content []byte) error {
	if p.kind, p.whole = kind, true; p.otherwise() {
		return nil
	}
	if has(p.w, p.r, content) {
		p.notModified()
		return nil
	}
	return p.write(func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// sitemap returns the addresses of all public papers that have pages, and of the categories above them.
func (s *Reader) sitemap(tx store.Reader, r *http.Request, tenant store.Tenant) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	now, begins := s.Now(), s.Base.Public(r, tenant, tenant.RootURL)
	var way []store.Node // from the root's child to the visited node
	told := -1           // depth of the last node on the way that is in the sitemap; the root is in it first
	looked := 0
	tell := func(way []store.Node) {
		b.WriteString("<url><loc>")
		_ = xml.EscapeText(&b, []byte(begins+escaped(pathOf(way)))) // a write to a buffer never fails
		b.WriteString("</loc></url>\n")
	}
	err := tx.WalkFilled(tenant.Root, s.Listing.Look+1, func(n store.Node, depth int) error {
		if looked++; looked > s.Listing.Look || b.Len() > mostSitemap {
			return errEnough
		}
		if depth > 0 {
			way = append(way[:depth-1], n)
		}
		if told >= depth {
			told = depth - 1
		}
		if depth == 0 || n.Pages == 0 || !visible(n, now) {
			return nil
		}
		for told < depth {
			told++
			tell(way[:told])
		}
		return nil
	})
	if err == nil && told < 0 {
		err = store.ErrNotFound
	} else if err == errEnough {
		err = nil
	}
	b.WriteString("</urlset>\n")
	return b.Bytes(), err
}

package reader

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// shown is an image that the client may see, and until when.
type shown struct {
	address.Image
	private bool // not for shared caches
}

// until sets when the right to see the image ends: with the right to see the paper, but
// after longestKept at the latest.
func (at *shown) until(now, end time.Time, private bool) {
	at.private = private
	at.End = now.Add(longestKept).Unix()
	if !end.IsZero() {
		at.End = min(at.End, end.Unix())
	}
}

// caching returns the value of Cache-Control. The content of an image address never changes.
func (at *shown) caching(now time.Time) string {
	who := "public"
	if at.private {
		who = "private"
	}
	return fmt.Sprintf("%s, max-age=%d, immutable", who, at.End-now.Unix())
}

// longestKept is how long a cache may keep an image, even if its paper is withdrawn.
const longestKept = 24 * time.Hour

// picture is an image that the client may see, and where it is.
type picture struct {
	shown
	tenant store.Tenant
	node   store.Node
	image  store.Image
	from   store.Rendition
}

// tag returns the ETag. Pages never change: processing a paper again creates new ones.
func (p *picture) tag() string { return fmt.Sprintf(`"%d-%s"`, p.Page, p.Type) }

// serveImage serves an image. A signed address is enough to see it; an unsigned one works
// for clients that may see the paper. An address that has expired, was altered or belongs
// to another paper is not found.
func (s *Reader) serveImage(w http.ResponseWriter, r *http.Request, paper string, log *slog.Logger) {
	image, jpeg, err := s.findImage(r, paper)
	if err != nil {
		notServed(w, r, err, log, "image not served", "The image cannot be read now.")
		return
	}
	defer jpeg.Close()
	if !answer.MayRead(w, r, true) {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("ETag", image.tag())
	h.Set("Cache-Control", image.caching(s.Now()))
	ServeFile(w, r, jpeg)
}

// findImage opens an image. If the paper is processed again between lookup and opening, the second
// lookup finds that the address has expired.
func (s *Reader) findImage(r *http.Request, path string) (p picture, jpeg io.ReadSeekCloser, err error) {
	for before := ""; ; before = p.from.Images {
		if p, err = s.lookUpImage(r, path); err != nil {
			return p, nil, err
		}
		if tile, ok := address.ParseTile(p.Type); ok {
			jpeg, err = s.tile(r, p, pdf.Tile(tile))
			return p, jpeg, err
		}
		jpeg, err = s.Contents.Open(r.Context(), p.from.Images, p.image.Start, p.image.Bytes)
		if !store.IsNotFound(err) || p.from.Images == before {
			return p, jpeg, store.Lost(err)
		}
	}
}

func (s *Reader) lookUpImage(r *http.Request, path string) (p picture, err error) {
	err = s.Store.Read(r.Context(), func(tx store.Reader) (err error) {
		if p.tenant, p.node, err = address.NodeAt(tx, r.Host, path); err != nil {
			return err
		}
		if p.shown, err = s.mayShow(tx, r, p.node); err != nil {
			return err
		}
		kind := p.Type
		if _, ok := address.ParseTile(kind); ok {
			kind = address.ImageTypes[0]
		}
		if p.image, p.from.Images, err = tx.PageImage(p.node.ID, p.Page, kind); err == nil && kind != p.Type {
			p.from, err = tx.Rendition(p.node.ID)
		}
		return err
	})
	return p, err
}

// mayShow checks the signature of an image address or, without one, the right to see the paper.
func (s *Reader) mayShow(tx store.Reader, r *http.Request, paper store.Node) (at shown, err error) {
	query := r.URL.Query()
	ok := false
	if address.Signed(query) {
		at.private = true
		at.Image, ok = s.Images.Parse(query, paper.ID)
	} else if at.Image, ok = address.Named(query); ok {
		var end time.Time
		if end, at.private, err = s.mayOpen(tx, r, paper); err != nil {
			return at, err
		}
		at.until(s.Now(), end, at.private)
	}
	if !ok {
		return at, store.ErrNotFound
	}
	return at, nil
}

// imageAddress returns the unsigned address of an image, or "" if the service has no such image.
func imageAddress(page int64, i store.Image) string {
	if i.Bytes == 0 {
		return ""
	}
	return address.ImageFile + "?PageID=" + strconv.FormatInt(page, 10) + "&ImageType=" + i.Type
}

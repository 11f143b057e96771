package reader

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/plain"
	"paperfs/remote/service/store"
)

// serveImage answers the address of an image, which is enough to see it. What
// is over, altered, or of another paper is not there.
func (s *Reader) serveImage(w http.ResponseWriter, r *http.Request, paper string, log *slog.Logger) {
	image, jpeg, err := s.findImage(r, paper)
	if store.IsNotFound(err) {
		w.Header().Set("Cache-Control", "no-store")
		plain.NotFound(w)
		return
	}
	if err != nil {
		failed(w, r, err, log, "image not served", "The image cannot be read now.")
		return
	}
	defer jpeg.Close()
	if !plain.MayRead(w, r, true) {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	// Pages never change: a paper that is processed again gets others.
	h.Set("ETag", fmt.Sprintf(`"%d-%s"`, image.Page, image.Type))
	h.Set("Cache-Control", fmt.Sprintf("private, max-age=%d, immutable", image.End-s.Now().Unix()))
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(jpeg, 0, jpeg.size))
}

// findImage opens an image. If its paper is processed again between the two
// steps, the second look finds that the address has expired.
func (s *Reader) findImage(r *http.Request, path string) (address.Image, *jpegPart, error) {
	for before := ""; ; {
		at, image, key, err := s.lookUpImage(r, path)
		if err != nil {
			return at, nil, err
		}
		jpeg, err := s.openImage(image, key)
		if store.IsNotFound(err) && key != before {
			before = key
			continue
		}
		return at, jpeg, store.Lost(err)
	}
}

func (s *Reader) lookUpImage(r *http.Request, path string) (at address.Image, image store.Image, key string, err error) {
	err = s.Store.Read(r.Context(), func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(r.Host))
		if err != nil {
			return err
		}
		node, err := address.FindNode(tx, tenant, path)
		if err != nil {
			return err
		}
		var ok bool
		if at, ok = s.Images.Parse(r.URL.Query(), node.ID); !ok {
			return store.ErrNotFound
		}
		image, key, err = tx.PageImage(node.ID, at.Page, at.Type)
		return err
	})
	return at, image, key, err
}

// openImage opens the content that an image is part of. It is read as it is
// sent.
func (s *Reader) openImage(image store.Image, key string) (*jpegPart, error) {
	content, err := s.Contents.Open(key)
	if err != nil {
		return nil, err
	}
	end, err := content.Seek(0, io.SeekEnd)
	if err == nil && end < image.Start+image.Bytes {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, errors.Join(err, content.Close())
	}
	return &jpegPart{content, image.Start, image.Bytes}, nil
}

// jpegPart is an image in its content.
type jpegPart struct {
	io.ReadSeekCloser
	start, size int64
}

func (p *jpegPart) ReadAt(b []byte, at int64) (int, error) {
	if _, err := p.Seek(p.start+at, io.SeekStart); err != nil {
		return 0, err
	}
	return io.ReadFull(p, b)
}

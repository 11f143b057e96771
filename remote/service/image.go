package service

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// imageFile ends the address of every page image, after that of its paper.
const imageFile = "Image.ashx"

// imageValidity is how long an address of an image is good for at the least;
// at the most it is twice that. Addresses that are made within one such time
// are the same, so that caches know them again.
const imageValidity = 12 * time.Hour

// imageKeyName names the key of the signatures among the store's secrets.
const imageKeyName = "image-signature"

// loadImageKey finds the key that signs the addresses of images, or makes it.
func loadImageKey(tx store.Writer) ([]byte, error) {
	key, err := tx.Secret(imageKeyName)
	if !isNone(err) {
		return key, err
	}
	key = make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key, tx.SetSecret(imageKeyName, key)
}

// imageExpiry is the end of an address that is made now, not after an end that
// is set otherwise (zero for none).
func (s *Service) imageExpiry(end time.Time) time.Time {
	expiry := s.now().Truncate(imageValidity).Add(2 * imageValidity)
	if !end.IsZero() && end.Before(expiry) {
		return end
	}
	return expiry
}

// imageQuery is what follows imageFile in the address of an image. The
// signature holds it to the paper, to the page, to the type, and to its end.
func (s *Service) imageQuery(paper, page int64, kind string, expiry time.Time) string {
	id, end := strconv.FormatInt(page, 10), strconv.FormatInt(expiry.Unix(), 10)
	return fmt.Sprintf("?PageID=%s&ImageType=%s&Expires=%s&Signature=%s", id, kind, end, s.imageSignature(paper, id, kind, end))
}

// imageSignature is over the parameters as they stand in the address.
func (s *Service) imageSignature(paper int64, page, kind, end string) string {
	mac := hmac.New(sha256.New, s.imageKey)
	fmt.Fprintf(mac, "image %d %q %q %q", paper, page, kind, end)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// cutImage takes the address of a paper out of that of an image.
func cutImage(path string) (paper string, ok bool) {
	at := strings.LastIndexByte(path, '/') + 1
	return path[:at], strings.EqualFold(path[at:], imageFile)
}

// serveImage answers the address of an image, which is enough to see it. What
// is over, altered, or of another paper is not there.
func (s *Service) serveImage(l *requestLog, r *http.Request, paper string) {
	if !mayRead(l, r, false) {
		return
	}
	image, jpeg, err := s.findImage(r, paper)
	if isNone(err) {
		l.Header().Set("Cache-Control", "no-store")
		notFound(l)
		return
	}
	if err != nil {
		s.log.Error("image not served", "request", l.number, "error", err)
		plainError(l, http.StatusInternalServerError, "The image cannot be read now.")
		return
	}
	defer jpeg.Close()
	if !mayRead(l, r, true) {
		return
	}
	h := l.Header()
	h.Set("Content-Type", "image/jpeg")
	// Pages never change: a paper that is processed again gets others.
	h.Set("ETag", fmt.Sprintf(`"%d-%s"`, image.page, image.kind))
	h.Set("Cache-Control", fmt.Sprintf("private, max-age=%d, immutable", image.end-s.now().Unix()))
	http.ServeContent(l, r, "", time.Time{}, io.NewSectionReader(jpeg, 0, jpeg.size))
}

// imageAddress is the query of an image's address.
type imageAddress struct {
	page int64
	kind string
	end  int64 // seconds since 1970
}

// parseImageQuery reads a query and checks that it is good for a paper now.
func (s *Service) parseImageQuery(q url.Values, paper int64) (imageAddress, bool) {
	var a imageAddress
	var ok bool
	if a.page, ok = value.ID(q.Get("PageID")); !ok {
		return a, false
	}
	if a.kind = q.Get("ImageType"); !slices.Contains(imageTypes, a.kind) {
		return a, false
	}
	var err error
	if a.end, err = strconv.ParseInt(q.Get("Expires"), 10, 64); err != nil || a.end <= s.now().Unix() {
		return a, false
	}
	want := s.imageSignature(paper, q.Get("PageID"), a.kind, q.Get("Expires"))
	return a, hmac.Equal([]byte(want), []byte(q.Get("Signature")))
}

// findImage reads an image. Where its paper is processed again between the two
// steps, the second look finds the address to be over.
func (s *Service) findImage(r *http.Request, path string) (imageAddress, *jpegPart, error) {
	for before := ""; ; {
		address, image, key, err := s.lookUpImage(r, path)
		if err != nil {
			return address, nil, err
		}
		jpeg, err := s.openImage(image, key)
		if isNone(err) && key != before {
			before = key
			continue
		}
		return address, jpeg, lost(err)
	}
}

func (s *Service) lookUpImage(r *http.Request, path string) (address imageAddress, image store.Image, key string, err error) {
	err = s.store.Read(r.Context(), func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(hostName(r.Host))
		if err != nil {
			return err
		}
		node, err := findURL(tx, tenant, path)
		if err != nil {
			return err
		}
		var ok bool
		if address, ok = s.parseImageQuery(r.URL.Query(), node.ID); !ok {
			return store.ErrNotFound
		}
		image, key, err = tx.PageImage(node.ID, address.page, address.kind)
		return err
	})
	return address, image, key, err
}

// openImage opens the content that an image is part of. It is read as it is
// sent.
func (s *Service) openImage(image store.Image, key string) (*jpegPart, error) {
	content, err := s.contents.Open(key)
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

package address

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// imageValidity is how long an address of an image is good for at the least;
// at the most it is twice that. Addresses that are made within one such time
// are the same, so that caches know them again.
const imageValidity = 12 * time.Hour

// ImageTypes in the order of the digits that stand for them, from 1.
var ImageTypes = []string{"Zoom", "Normal", "Thumb"}

// Images signs the addresses of page images and checks them.
type Images struct {
	key []byte
	now func() time.Time
}

// imageKeyName names the key of the signatures among the store's secrets.
const imageKeyName = "image-signature"

// FindImages finds the key that signs the addresses of images; store.ErrNotFound
// where there is none yet.
func FindImages(tx store.Reader, now func() time.Time) (*Images, error) {
	key, err := tx.Secret(imageKeyName)
	return &Images{key, now}, err
}

// LoadImages finds the key that signs the addresses of images, or makes it.
func LoadImages(tx store.Writer, now func() time.Time) (*Images, error) {
	key, err := tx.Secret(imageKeyName)
	if store.IsNotFound(err) {
		key = make([]byte, 32)
		_, _ = rand.Read(key) // never fails
		err = tx.SetSecret(imageKeyName, key)
	}
	return &Images{key, now}, err
}

// Expiry is the end of an address that is made now, not after an end that is
// set otherwise (zero for none).
func (i *Images) Expiry(end time.Time) time.Time {
	expiry := i.now().Truncate(imageValidity).Add(2 * imageValidity)
	if !end.IsZero() && end.Before(expiry) {
		return end
	}
	return expiry
}

// Query is what follows ImageFile in the address of an image. The signature
// holds it to the paper, to the page, to the type, and to its end.
func (i *Images) Query(paper, page int64, kind string, expiry time.Time) string {
	id, end := strconv.FormatInt(page, 10), strconv.FormatInt(expiry.Unix(), 10)
	return fmt.Sprintf("?PageID=%s&ImageType=%s&Expires=%s&Signature=%s", id, kind, end, i.signature(paper, id, kind, end))
}

// signature is over the parameters as they stand in the address.
func (i *Images) signature(paper int64, page, kind, end string) string {
	mac := hmac.New(sha256.New, i.key)
	fmt.Fprintf(mac, "image %d %q %q %q", paper, page, kind, end)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// Image is what the query of an image's address tells.
type Image struct {
	Page int64
	Type string
	End  int64 // seconds since 1970
}

// Parse reads a query and checks that its signature is good for a paper now.
func (i *Images) Parse(q url.Values, paper int64) (a Image, ok bool) {
	if a, ok = Named(q); !ok {
		return a, false
	}
	var err error
	if a.End, err = strconv.ParseInt(q.Get("Expires"), 10, 64); err != nil || a.End <= i.now().Unix() {
		return a, false
	}
	want := i.signature(paper, q.Get("PageID"), a.Type, q.Get("Expires"))
	return a, hmac.Equal([]byte(want), []byte(q.Get("Signature")))
}

// Named reads which image a query names.
func Named(q url.Values) (a Image, ok bool) {
	if a.Page, ok = value.ID(q.Get("PageID")); !ok {
		return a, false
	}
	a.Type = q.Get("ImageType")
	return a, slices.Contains(ImageTypes, a.Type)
}

// Signed reports whether a query claims to be enough to see an image.
func Signed(q url.Values) bool { return q.Has("Expires") || q.Has("Signature") }

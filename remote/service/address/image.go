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
	"strings"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// imageValidity is the minimum validity of an image's address; the maximum is twice that. All
// addresses made within one such period are equal, so that caches recognize them.
const imageValidity = 12 * time.Hour

// ImageTypes in the order of the digits that represent them, starting at 1.
var ImageTypes = []string{"Zoom", "Normal", "Thumb"}

// Tile is a part of a page's picture that is drawn while a reader looks at it closely. The picture is a grid of Times × Times
// tiles, whose first column is at the left, and first row at the top. Nothing stores or lists tiles.
type Tile struct{ Times, Column, Row int }

// ParseTile parses the type of an image, such as Tile412: of the grid of four, the second column and the third row.
func ParseTile(kind string) (t Tile, ok bool) {
	digits, ok := strings.CutPrefix(kind, "Tile")
	if !ok || len(digits) != 3 {
		return t, false
	}
	t = Tile{int(digits[0]) - '0', int(digits[1]) - '0', int(digits[2]) - '0'}
	return t, t.Times >= 2 && t.Times <= 8 && t.Times%2 == 0 && 0 <= t.Column && t.Column < t.Times && 0 <= t.Row && t.Row < t.Times
}

// Images signs and checks the addresses of page images and statistics.
type Images struct {
	key []byte
	now func() time.Time
}

// imageKeyName is the name of the signature key among the store's secrets.
const imageKeyName = "image-signature"

// FindImages reads the key that signs image addresses; store.ErrNotFound if there is none yet.
func FindImages(tx store.Reader, now func() time.Time) (*Images, error) {
	key, err := tx.Secret(imageKeyName)
	return &Images{key, now}, err
}

// LoadImages reads the key that signs image addresses, creating it if necessary.
func LoadImages(tx store.Writer, now func() time.Time) (*Images, error) {
	key, err := tx.Secret(imageKeyName)
	if store.IsNotFound(err) {
		key = make([]byte, 32)
		_, _ = rand.Read(key) // never fails
		err = tx.SetSecret(imageKeyName, key)
	}
	return &Images{key, now}, err
}

// Expiry returns the expiry of an address that is made now. It is not after end, unless that is
// zero.
func (i *Images) Expiry(end time.Time) time.Time {
	expiry := i.now().Truncate(imageValidity).Add(2 * imageValidity)
	if !end.IsZero() && end.Before(expiry) {
		return end
	}
	return expiry
}

// Query returns the part of an image's address after ImageFile. The signature covers the paper,
// the page, the type and the expiry.
func (i *Images) Query(paper, page int64, kind string, expiry time.Time) string {
	id, end := strconv.FormatInt(page, 10), strconv.FormatInt(expiry.Unix(), 10)
	return fmt.Sprintf("?PageID=%s&ImageType=%s&Expires=%s&Signature=%s", id, kind, end, i.signature(paper, id, kind, end))
}

// signature signs the parameters exactly as they are in the address.
func (i *Images) signature(paper int64, page, kind, end string) string {
	return i.sign("image %d %q %q %q", paper, page, kind, end)
}

// sign signs what begins with a word of its own for each use.
func (i *Images) sign(format string, what ...any) string {
	mac := hmac.New(sha256.New, i.key)
	fmt.Fprintf(mac, format, what...)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// Name returns a name of the data that has this key.
func (i *Images) Name() string { return i.sign("name")[:8] }

// Statistics returns the part of an address after StatisticsFile. The signature covers the paper and the expiry.
func (i *Images) Statistics(paper int64) string {
	end := strconv.FormatInt(i.Expiry(time.Time{}).Unix(), 10)
	return "?Expires=" + end + "&Signature=" + i.ofStatistics(paper, end)
}

// ParseStatistics returns when the address of a paper's statistics expires; not ok: its signature is not valid.
func (i *Images) ParseStatistics(q url.Values, paper int64) (end time.Time, ok bool) {
	seconds, err := strconv.ParseInt(q.Get("Expires"), 10, 64)
	return time.Unix(seconds, 0), err == nil && hmac.Equal([]byte(i.ofStatistics(paper, q.Get("Expires"))), []byte(q.Get("Signature")))
}

func (i *Images) ofStatistics(paper int64, end string) string {
	return i.sign("statistics %d %q", paper, end)
}

// Image is the parsed query of an image's address.
type Image struct {
	Page int64
	Type string
	End  int64 // seconds since 1970
}

// Parse parses a query and checks that its signature is currently valid for a paper.
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

// Named parses which image a query names.
func Named(q url.Values) (a Image, ok bool) {
	if a.Page, ok = rules.ID(q.Get("PageID")); !ok {
		return a, false
	}
	a.Type = q.Get("ImageType")
	_, tile := ParseTile(a.Type)
	return a, tile || slices.Contains(ImageTypes, a.Type)
}

// Signed reports whether a query claims to have a signature.
func Signed(q url.Values) bool { return q.Has("Expires") || q.Has("Signature") }

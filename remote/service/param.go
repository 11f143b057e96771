package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"strings"
	"unicode"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// params returns the parameters that this service knows, without those of the credentials.
func (c *call) params() []string { return c.service.documented(c.op).All() }

// id reads a parameter that names a record: 1 to 2147483647.
func (c *call) id(name string) (int64, error) { return c.integer(name, 1, store.MaxID) }

// integer reads a parameter of digits only, leading zeros allowed.
func (c *call) integer(name string, least, most int64) (int64, error) {
	v, ok := rules.IDOrZero(c.param(name))
	if !ok || v < least || v > most {
		return 0, fault.Invalid("%s has to be a number from %d to %d.", name, least, most)
	}
	return v, nil
}

// boolean reads a parameter that may be empty for its default.
func (c *call) boolean(name string, byDefault bool) (bool, error) {
	v, ok := rules.Bool(c.param(name), byDefault)
	if !ok {
		return false, fault.Invalid("%s has to be true or false.", name)
	}
	return v, nil
}

// displayName reads a node's name from the value of a parameter.
func displayName(param, value string) (string, error) {
	name := strings.TrimSpace(value)
	if rules.NodeName(name) != rules.None {
		return "", fault.Invalid("%s has to be 1 to 255 characters, without control characters.", param)
	}
	return name, nil
}

// urlName reads the last segment of a node's address.
func (c *call) urlName(param string) (string, error) {
	name := strings.TrimSpace(c.param(param))
	if !rules.Segment(name) {
		return "", fault.Invalid("%s has to be %s", param, rules.SegmentWords)
	}
	return name, nil
}

func (c *call) has(name string) bool {
	if name == c.op.Bulk {
		present, _ := c.form.Bulk()
		return present
	}
	_, present := c.form.Get(name)
	return present
}

func (c *call) hasPair(p remote.Pair) bool { return c.has(p.Username) && c.has(p.Password) }

// pairSeen finds the credentials among the parameters that have arrived.
func (c *call) pairSeen() (remote.Pair, bool) {
	for _, pair := range []remote.Pair{c.op.Pair, remote.PL, remote.Plain} {
		if (pair == c.op.Pair || c.op.Extended) && c.hasPair(pair) {
			return pair, true
		}
	}
	return remote.Pair{}, false
}

// charsets returns every charset that a request's Content-Type names, in lower case. It
// also reads malformed and repeated headers: if it overlooked a charset there, the
// service would misread the text.
func charsets(h http.Header) (all []string) {
	for _, part := range strings.FieldsFunc(strings.Join(h.Values("Content-Type"), ";"), func(r rune) bool { return r == ';' || r == ',' }) {
		name, value, _ := strings.Cut(part, "=")
		// A charset never has the form name*=UTF-8''VALUE or name*0=: its value is refused.
		name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), "*")
		if name == "charset" {
			all = append(all, strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`)))
		}
	}
	return all
}

func wrongCharset(charset, right string) error {
	return &fault.Failure{Status: http.StatusUnsupportedMediaType, Line: fmt.Sprintf("The charset %s is not accepted: send %s.", nameText(charset), right)}
}

// How many bytes of a path, and of a name in a request, the log and answers show.
const (
	pathTextMost = 500
	nameTextMost = 100
)

// pathText returns the part of a path that the log and answers show. If a client escapes
// the ? of its query, once or twice, or begins the query with another character, its key
// is in the path: the text ends before that character.
func pathText(path string) string {
	if i := strings.IndexFunc(path, func(r rune) bool { return strings.ContainsRune("?&;=%", r) || unicode.IsControl(r) }); i >= 0 {
		path = path[:i]
	}
	return cutText(path, pathTextMost)
}

// nameText returns the part of a name in a request that answers show.
func nameText(name string) string { return cutText(name, nameTextMost) }

func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// plainKey marks the context of a request whose content is not encoded.
type plainKey struct{}

// ContentFile is a file of this process that has exactly the content of a request, and to which nothing writes any
// more: the service may keep it.
type ContentFile struct {
	File   *os.File
	SHA256 [sha256.Size]byte // of the content; a request whose content differs ends too early
}

// PlainContent marks a request from the same process. The value of its bulk field, which
// is its last field, is the content itself, neither base64 nor percent-encoded; file may be nil.
func PlainContent(ctx context.Context, file *ContentFile) context.Context {
	return context.WithValue(ctx, plainKey{}, file)
}

// contentFile returns the file that has the content of a request; nil for none.
func contentFile(ctx context.Context) *ContentFile {
	file, _ := ctx.Value(plainKey{}).(*ContentFile)
	return file
}

func isPlain(ctx context.Context) bool { return ctx.Value(plainKey{}) != nil }

package form

import (
	"errors"
	"io"
	"strings"
)

// Default limits.
const (
	DefaultMaxKept   = 32 << 20
	DefaultMaxFields = 1000
)

// ErrTooLarge is the error of a body with too many fields, or with too many bytes in the fields
// to keep.
var ErrTooLarge = errors.New("form: too many fields, or fields that are too long")

// Options say what Decode keeps.
type Options struct {
	// Form is filled as the body arrives; nil makes Decode create one.
	Form *Form
	// Names are the fields to keep, compared ignoring case; nil keeps all. Other fields are
	// skipped.
	Names []string
	// MaxKept limits the total size, as encoded, of all names and values kept.
	MaxKept int64
	// MaxFields limits the number of fields in the body, kept or not.
	MaxFields int
	// Early limits the bytes kept before Lift, as MaxKept does overall; 0 for no limit. When more
	// bytes arrive, Decode calls Lift with the fields seen so far, which returns the next such limit;
	// an error of Lift ends Decode.
	Early int64
	Lift  func(seen *Form) (early int64, err error)

	// Bulk names the field that contains base64; empty for none.
	Bulk string
	// Open returns the writer for the decoded value of the bulk field. Decode calls it when the
	// value begins, even an empty one, with the fields seen before it, so that the caller can
	// check the credentials among them. It calls Open again if the exact spelling follows one in
	// other case: what was written before is then void. An error of Open or of its writer ends
	// Decode.
	Open func(seen *Form) (io.Writer, error)
	// Boundary says that the body is multipart/form-data with this boundary, and the bulk field, its last part, the
	// file as it is.
	Boundary string
}

func (o *Options) keeps(name string) bool {
	if o.Names == nil {
		return true
	}
	for _, n := range o.Names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// Form is a decoded body.
type Form struct {
	pairs   []pair
	bulk    bulkField
	content int64

	malformed error // a *MultipartError; nil for none
}

// Malformed returns a *MultipartError if the body is not as it has to be; nil if it is. The writer then does not have
// the whole file.
func (f *Form) Malformed() error { return f.malformed }

// Content returns how many bytes of the body belonged to the bulk field so far. It counts bytes
// that decode to nothing only as far as percent escapes explain them.
func (f *Form) Content() int64 { return f.content }

type pair struct{ name, value string }

// Get returns the value of a field: that of its exact spelling, or else that of its spellings in
// other case. Multiple values are joined by commas. Values may contain any bytes, not only UTF-8.
func (f *Form) Get(name string) (value string, present bool) {
	exact := func(n string) bool { return n == name }
	anyCase := func(n string) bool { return strings.EqualFold(n, name) }
	if value, present = f.join(exact); present {
		return value, true
	}
	return f.join(anyCase)
}

func (f *Form) join(match func(string) bool) (string, bool) {
	var values []string
	for _, p := range f.pairs {
		if match(p.name) {
			values = append(values, p.value)
		}
	}
	return strings.Join(values, ","), values != nil
}

// Bulk reports whether the bulk field was present, and returns the fault in its value: nil or an
// *EncodingError. The writer has the whole file only if neither Decode nor Bulk returns an error.
func (f *Form) Bulk() (present bool, err error) {
	if f.bulk.err != nil {
		err = f.bulk.err
	}
	return f.bulk.present, err
}

// bulkField is the state of the bulk field.
type bulkField struct {
	present bool
	exact   bool // present in the exact spelling, so other spellings do not count
	err     *EncodingError
}

// next reports whether another value of the field, in the exact spelling or not, must be decoded,
// and records it.
func (b *bulkField) next(exact bool) bool {
	switch {
	case b.present && b.exact && !exact:
		return false
	case b.present && b.exact == exact:
		b.err = &EncodingError{Reason: "the field occurs more than once"}
		return false
	}
	*b = bulkField{present: true, exact: exact}
	return true
}

package form

import (
	"errors"
	"io"
	"strings"
)

// Limits where Options states none.
const (
	DefaultMaxKept   = 32 << 20
	DefaultMaxFields = 1000
)

// ErrTooLarge is the error of a body with more fields, or more bytes in the
// fields to be kept, than allowed.
var ErrTooLarge = errors.New("form: too many fields, or fields that are too long")

// Options say what Decode keeps.
type Options struct {
	// Form is filled while the body arrives; nil for one of Decode's own.
	Form *Form
	// Names are the fields to keep, compared without regard to case; nil keeps
	// all. Other fields are skipped.
	Names []string
	// MaxKept bounds the bytes, as encoded, of all names and values kept.
	MaxKept int64
	// MaxFields bounds the pairs of the body, kept or not.
	MaxFields int
	// Early bounds the bytes kept before Lift, as MaxKept does in all. Lift is
	// called once, with the fields seen so far, when more has come; its error ends
	// Decode. 0 for no such bound.
	Early int64
	Lift  func(seen *Form) error

	// Bulk names the field that carries base64; empty for none.
	Bulk string
	// Open returns the writer for the bulk field's decoded value. It is called
	// when the value begins, an empty one too, with the fields seen before it,
	// so that the caller can judge the credentials among them. It is called
	// again when the exact spelling follows one in other case: what was written
	// before is then void. An error of Open or of its writer ends Decode.
	Open func(seen *Form) (io.Writer, error)
	// Plain: the value of the bulk field, which is the last one, is the content as it
	// is, up to the end of the body.
	Plain bool
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
}

// Content is how many bytes of the body were the bulk field's so far. What
// decodes to nothing counts as far as percent escapes explain it.
func (f *Form) Content() int64 { return f.content }

type pair struct{ name, value string }

// Get is the value of a field: of its exact spelling, else of its spellings
// in other case. Several values are joined by a comma. Values can be any
// bytes, not only UTF-8.
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

// Bulk tells whether the bulk field was there, and what is wrong with its
// value: nil or an *EncodingError. The writer has the whole file only if
// Decode and Bulk both return no error.
func (f *Form) Bulk() (present bool, err error) {
	if f.bulk.err != nil {
		err = f.bulk.err
	}
	return f.bulk.present, err
}

// bulkField is what is known of the values of the bulk field so far.
type bulkField struct {
	present bool
	exact   bool // in the exact spelling, which makes other spellings count for nothing
	err     *EncodingError
}

// next tells whether a further value of the field, in exact spelling or not,
// has to be decoded, and enters it.
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

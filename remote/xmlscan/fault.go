package xmlscan

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Bounds of what the scanner accepts. A document beyond them is an attack, or not an
// answer of the service.
const (
	maxDepth      = 4096    // open elements: deeper than any path a mount could show
	maxTag        = 1 << 20 // bytes of one tag
	maxAttributes = 256
	maxEntity     = 12 // bytes of a reference, & and ; included
	firstBuffer   = 4 << 10
	scanBuffer    = 64 << 10
)

// The scanner's errors that are not about well-formedness. They call the document an
// answer, because the scanner mostly reads answers.
var (
	ErrEmpty     = errors.New("the answer is empty")
	ErrTruncated = errors.New("the answer ends in the middle of the document")
	errDepth     = fmt.Errorf("the answer nests more than %d elements", maxDepth)
	errTag       = errors.New("the answer has too large a tag, or too many open elements")
	errDTD       = errors.New("the answer carries a document type declaration, which is refused")
)

// SyntaxError says where a document is not well-formed.
type SyntaxError struct {
	offset int64
	words  string
}

// Refused reports whether an error of Next is about the document rather than from its
// reader.
func Refused(err error) bool {
	var syntax *SyntaxError
	switch err {
	case ErrEmpty, ErrTruncated, errDepth, errTag, errDTD:
		return true
	}
	return errors.As(err, &syntax)
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("the answer is not well-formed XML: %s (byte %d)", e.words, e.offset)
}

// Brief returns the beginning of a name, for an error text.
func Brief(name []byte) string {
	const most = 40
	if len(name) <= most {
		return string(name)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return string(name[:cut]) + "…"
}

package xmlscan

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendReference appends the text of the reference at the beginning of data, and returns
// the reference's length.
func (s *Scanner) appendReference(out *[]byte, data []byte) (int, error) {
	end := bytes.IndexByte(data[:min(len(data), maxEntity)], ';')
	if end < 0 {
		return 0, s.fault("a & that begins no reference")
	}
	switch ref := data[1:end]; {
	case string(ref) == "lt":
		*out = append(*out, '<')
	case string(ref) == "gt":
		*out = append(*out, '>')
	case string(ref) == "amp":
		*out = append(*out, '&')
	case string(ref) == "quot":
		*out = append(*out, '"')
	case string(ref) == "apos":
		*out = append(*out, '\'')
	case len(ref) > 1 && ref[0] == '#':
		r, ok := character(ref[1:])
		switch {
		case !ok && s.Lenient:
			r, s.Replaced = utf8.RuneError, true
		case !ok:
			return 0, s.fault("a reference to a character that XML cannot carry")
		}
		*out = utf8.AppendRune(*out, r)
	default:
		return 0, s.fault("an unknown entity")
	}
	return end + 1, nil
}

// character returns the character of a numeric reference.
func character(digits []byte) (rune, bool) {
	text, base := string(digits), 10
	if hex, ok := strings.CutPrefix(text, "x"); ok {
		text, base = hex, 16
	}
	n, err := strconv.ParseUint(text, base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, false
	}
	r := rune(n)
	return r, utf8.ValidRune(r) && CarriesRune(r)
}

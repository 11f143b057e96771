package xmlscan

import (
	"bytes"
	"unicode/utf8"
)

// characters returns data if XML 1.0 can carry it. Otherwise it returns a fault. A lenient
// scanner gets data with U+FFFD in place of what XML cannot carry: one bad character in a
// name must not hide the rest of the answer.
func (s *Scanner) characters(data []byte) ([]byte, error) {
	err := s.checkCharacters(data)
	if err == nil || !s.Lenient {
		return data, err
	}
	s.Replaced = true
	return bytes.Map(func(r rune) rune {
		if !CarriesRune(r) {
			return utf8.RuneError
		}
		return r
	}, data), nil // an invalid byte comes as U+FFFD
}

// checkCharacters refuses what XML 1.0 cannot carry.
func (s *Scanner) checkCharacters(data []byte) error {
	for _, b := range data {
		if b < ' ' && class[b]&spaceByte == 0 {
			return s.fault("a control character")
		}
	}
	if !utf8.Valid(data) {
		return s.fault("text that is not UTF-8")
	}
	for rest := data; ; {
		at := bytes.Index(rest, []byte("\xef\xbf"))
		if at < 0 {
			return nil
		}
		if rest[at+2] >= 0xbe {
			return s.fault("a character that XML cannot carry")
		}
		rest = rest[at+3:]
	}
}

package xmlscan

import (
	"bytes"
	"io"
	"unicode/utf8"
)

var (
	cdataEnd = []byte("]]>")
	// BOM is a byte order mark in UTF-8.
	BOM = []byte("\ufeff")
)

// textPiece reads character data up to the next tag or the end of the buffer. Outside of
// the root it accepts only white space, and skips it: it returns false.
func (s *Scanner) textPiece() (bool, error) {
	data := s.buf[s.pos:]
	length := bytes.IndexByte(data, '<')
	if length < 0 {
		if length = complete(data); length == 0 {
			// All of it depends on the bytes that follow.
			err := s.more(len(data) + 1)
			switch {
			case err == nil:
				return false, nil
			case err != io.EOF:
				return false, err
			case len(s.marks) > 0:
				return false, ErrTruncated
			}
			length = len(data)
		}
	}
	data = data[:length]
	if len(s.marks) == 0 {
		if !s.begun {
			data = bytes.TrimPrefix(data, BOM)
		}
		if spaces(data) < len(data) {
			return false, s.fault("text outside of the root element")
		}
		s.pos += length
		return false, nil
	}
	if bytes.Contains(data, cdataEnd) {
		return false, s.fault("]]> outside of a CDATA section")
	}
	text, err := s.resolve(data)
	if err != nil {
		return false, err
	}
	s.pos += length
	s.Text, s.CDATA = text, false
	return true, nil
}

// complete returns how many bytes of data, after which more follow, are complete: they end
// within no reference, line end, ]]> or character.
func complete(data []byte) int {
	tail := data[max(0, len(data)-maxEntity):]
	if at := bytes.LastIndexByte(tail, '&'); at >= 0 && bytes.IndexByte(tail[at:], ';') < 0 {
		return len(data) - len(tail) + at
	}
	return completeRaw(data)
}

// completeRaw is complete for data in which & is an ordinary character.
func completeRaw(data []byte) int {
	n := len(data)
	for n > 0 && n > len(data)-2 && data[n-1] == ']' {
		n--
	}
	if n == len(data) && n > 0 && data[n-1] == '\r' {
		n--
	}
	return wholeRunes(data[:n])
}

// wholeRunes returns the length of data without an incomplete character at its end.
func wholeRunes(data []byte) int {
	for i := len(data) - 1; i >= 0 && i >= len(data)-utf8.UTFMax; i-- {
		if utf8.RuneStart(data[i]) {
			if !utf8.FullRune(data[i:]) {
				return i
			}
			break
		}
	}
	return len(data)
}

// resolve resolves references and line ends.
func (s *Scanner) resolve(data []byte) ([]byte, error) {
	data, err := s.characters(data)
	if err != nil {
		return nil, err
	}
	special := bytes.IndexByte(data, '&')
	if special < 0 && bytes.IndexByte(data, '\r') < 0 {
		return data, nil
	}
	out := s.chars[:0]
	for {
		if special < 0 {
			out = appendLines(out, data)
			break
		}
		out = appendLines(out, data[:special])
		length, err := s.appendReference(&out, data[special:])
		if err != nil {
			return nil, err
		}
		data = data[special+length:]
		special = bytes.IndexByte(data, '&')
	}
	s.chars = out
	return out, nil
}

// appendLines appends data with each line end as \n. If data ends with \r, the byte after
// it must not be \n.
func appendLines(out, data []byte) []byte {
	for {
		at := bytes.IndexByte(data, '\r')
		if at < 0 {
			return append(out, data...)
		}
		out = append(out, data[:at]...)
		data = data[at+1:]
		if len(data) == 0 || data[0] != '\n' {
			out = append(out, '\n')
		}
	}
}

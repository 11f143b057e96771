package xmlscan

import (
	"bytes"
	"strings"
)

// cdataPiece reads the next piece of a CDATA section. An empty section has one empty
// piece.
func (s *Scanner) cdataPiece() (Token, error) {
	for {
		data := s.buf[s.pos:]
		length, skip := bytes.Index(data, cdataEnd), len(cdataEnd)
		if length < 0 {
			length, skip = completeRaw(data), 0
			if length == 0 {
				if err := s.need(len(data) + 1); err != nil {
					return 0, err
				}
				continue
			}
		}
		data = data[:length]
		if err := s.checkCharacters(data); err != nil {
			return 0, err
		}
		if bytes.IndexByte(data, '\r') >= 0 {
			s.chars = appendLines(s.chars[:0], data)
			data = s.chars
		}
		s.inCDATA = skip == 0
		s.pos += length + skip
		s.Text, s.CDATA = data, true
		return Text, nil
	}
}

// declaration reads markup that begins with <!.
func (s *Scanner) declaration() error {
	if err := s.need(3); err != nil {
		return err
	}
	want, words := "<!DOCTYPE", ""
	switch s.buf[s.pos+2] {
	case '-':
		want, words = "<!--", "a malformed comment"
	case '[':
		want, words = "<![CDATA[", "a malformed CDATA section"
	case 'd':
		want = "<!doctype"
	}
	if err := s.need(len(want)); err != nil {
		return err
	}
	switch {
	case words == "":
		return errDTD
	case string(s.buf[s.pos:s.pos+len(want)]) != want:
		return s.fault(words)
	case want == "<!--":
		s.begun = true
		s.pos += len(want)
		return s.comment()
	case len(s.marks) == 0:
		return s.fault("text outside of the root element")
	}
	s.pos += len(want)
	s.inCDATA = true
	return nil
}

func (s *Scanner) comment() error {
	if err := s.skipPast("--"); err != nil {
		return err
	}
	if err := s.need(1); err != nil {
		return err
	}
	if s.buf[s.pos] != '>' {
		return s.fault("-- inside a comment")
	}
	s.pos++
	return nil
}

// instruction skips a processing instruction, or the XML declaration, which is allowed
// only at the beginning.
func (s *Scanner) instruction() error {
	if err := s.need(6); err != nil {
		return err
	}
	target := s.buf[s.pos+2:]
	if nameLength(target) == 0 {
		return s.fault("a malformed processing instruction")
	}
	if strings.EqualFold(string(target[:3]), "xml") && class[target[3]]&nameByte == 0 && s.begun {
		return s.fault("an XML declaration that is not at the beginning")
	}
	s.begun = true
	s.pos += 2
	return s.skipPast("?>")
}

// skipPast skips to the end of the next mark. It does not buffer the skipped bytes.
func (s *Scanner) skipPast(mark string) error {
	for {
		data := s.buf[s.pos:]
		if at := bytes.Index(data, []byte(mark)); at >= 0 {
			if err := s.checkCharacters(data[:at]); err != nil {
				return err
			}
			s.pos += at + len(mark)
			return nil
		}
		seen := wholeRunes(data[:max(0, len(data)-len(mark)+1)])
		if err := s.checkCharacters(data[:seen]); err != nil {
			return err
		}
		s.pos += seen
		if err := s.need(len(data) - seen + 1); err != nil {
			return err
		}
	}
}

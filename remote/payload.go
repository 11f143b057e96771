package remote

import (
	"bytes"
	"html"

	"paperfs/remote/xmlscan"
)

const declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

// payload is the reading of a method that returns the child of data as a document in
// UTF-8. If data has no child, or several, or is absent, the document's root is data
// itself. For a malformed answer that is complete and has the code SUCCESS at its
// beginning, the method returns the received bytes (contract, 3.20).
func payload(into *[]byte) reading {
	var doc []byte
	return reading{
		data: func(s *xmlscan.Scanner) error {
			found, err := captureData(s)
			doc = found
			return err
		},
		check: func() error {
			if doc == nil {
				doc = []byte("<data />")
			}
			*into = append(append(append(*into, declaration...), doc...), '\n')
			return nil
		},
		unparsed: func(b []byte) { *into = b },
	}
}

// captureData returns the source text of the only child of the current element, or of the
// element itself if it does not have exactly one child.
func captureData(s *xmlscan.Scanner) ([]byte, error) {
	s.Capture()
	var children, from, to int
	err := s.EachChild(func() error {
		children++
		from = s.CaptureOffset()
		if err := s.Skip(); err != nil {
			return err
		}
		to = s.CapturePosition()
		return nil
	})
	if err != nil {
		return nil, err
	}
	whole := s.CaptureEnd()
	if children == 1 {
		return whole[from:to], nil
	}
	return whole, nil
}

// headCode returns the code of a malformed answer. It searches the beginning of the answer
// for the element code, escaped or not; "" for none.
func headCode(head []byte) Code {
	if !bytes.Contains(head, []byte("<code")) {
		head = []byte(html.UnescapeString(string(head)))
	}
	_, rest, found := bytes.Cut(head, []byte("<code"))
	if !found {
		return ""
	}
	if _, rest, found = bytes.Cut(rest, []byte(">")); !found {
		return ""
	}
	value, _, found := bytes.Cut(rest, []byte("</"))
	if !found {
		return ""
	}
	value = bytes.TrimSpace(value)
	if inside, ok := bytes.CutPrefix(value, []byte("<![CDATA[")); ok {
		value = bytes.TrimSpace(bytes.TrimSuffix(inside, []byte("]]>")))
	}
	for _, c := range value {
		if c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return ""
		}
	}
	return Code(value)
}

// endsWhole reports whether b ends with the end tag of an answer's root.
func endsWhole(b []byte) bool {
	b = bytes.TrimRight(b, " \t\r\n")
	last := bytes.LastIndex(b, []byte("</"))
	if last < 0 || b[len(b)-1] != '>' {
		return false
	}
	name := bytes.TrimSpace(b[last+2 : len(b)-1])
	name = name[bytes.IndexByte(name, ':')+1:]
	return string(name) == "result" || string(name) == "string"
}

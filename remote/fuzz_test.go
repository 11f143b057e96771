package remote

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// seeds are documents of all forms.
var seeds = []string{
	result(Success, treeData), wrap(result(Success, treeData)), wrap(wrap(result(Failure, ""))),
	"<result><code>SUCCESS</code><data><a b='1' c=\"&#10;\t&lt;\"/>x&amp;<![CDATA[y]]]]><![CDATA[>]]>\r\n</data></result>",
	"\ufeff<?xml version=\"1.0\"?><!-- a - b --><?p i?><a:b xmlns:a=\"x\"></a:b>\n",
	"<!DOCTYPE a><a/>", "<a>]]></a>", "<a", "", "<a>&#x0;</a>", "<a>&nbsp;</a>", "<a><b></a></b>", "<a\xff/>", "<a>\xef\xbf\xbf</a>",
}

// events is a document as start tags, end tags and text, told by scanner.
func events(r io.Reader) (string, error) { return eventsOf(newScanner(r)) }

func eventsOf(s *scanner) (string, error) {
	var b strings.Builder
	for {
		tok, err := s.next()
		if err != nil {
			return b.String(), err
		}
		switch tok {
		case tokenEOF:
			return b.String(), nil
		case tokenStart:
			b.WriteString("\x01" + string(s.name))
			for _, a := range s.attrs {
				b.WriteString("\x02" + string(a.name) + "=" + string(a.value))
			}
			b.WriteString("\x03")
		case tokenEnd:
			b.WriteString("\x04")
		case tokenText:
			b.Write(s.text)
		}
	}
}

// standardEvents is events by encoding/xml.
func standardEvents(data []byte) (string, error) {
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	depth := 0
	name := func(n xml.Name) string {
		if n.Space != "" {
			return n.Space + ":" + n.Local
		}
		return n.Local
	}
	for {
		tok, err := d.RawToken()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			depth++
			b.WriteString("\x01" + name(tok.Name))
			for _, a := range tok.Attr {
				value := strings.NewReplacer("\t", " ", "\n", " ").Replace(a.Value)
				b.WriteString("\x02" + name(a.Name) + "=" + value)
			}
			b.WriteString("\x03")
		case xml.EndElement:
			depth--
			b.WriteString("\x04")
		case xml.CharData:
			if depth > 0 {
				b.Write(tok)
			}
		}
	}
}

// FuzzScanner: what the scanner takes as well-formed encoding/xml does too, and
// both see the same; and the outcome does not depend on how the bytes arrive.
func FuzzScanner(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := events(bytes.NewReader(data))
		slow, slowErr := eventsOf(&scanner{r: iotest.OneByteReader(bytes.NewReader(data)), buf: make([]byte, 0, 1)})
		if (err == nil) != (slowErr == nil) || err == nil && got != slow {
			t.Fatalf("at once %q %v, byte by byte %q %v", got, err, slow, slowErr)
		}
		inPlace, inPlaceErr := eventsInPlace(data)
		if (err == nil) != (inPlaceErr == nil) || err == nil && got != inPlace {
			t.Fatalf("read %q %v, in place %q %v", got, err, inPlace, inPlaceErr)
		}
		if err != nil {
			return
		}
		data = bytes.TrimPrefix(data, bom)
		want, err := standardEvents(data)
		// It differs in three points on purpose: a blank in an end tag, names
		// with several colons, and references in attribute values, which stay
		// what they are.
		if bytes.Contains(data, []byte("</ ")) || bytes.Contains(data, []byte("</\t")) || bytes.Contains(data, []byte("</\n")) ||
			bytes.Contains(data, []byte("</\r")) || bytes.Contains(data, []byte(":")) || bytes.Contains(data, []byte("&#")) {
			return
		}
		if err != nil {
			t.Fatalf("taken, but encoding/xml says %v", err)
		}
		if got != want {
			t.Fatalf("scanner %q, encoding/xml %q", got, want)
		}
	})
}

// eventsInPlace is events without copying data, which must stay as it is.
func eventsInPlace(data []byte) (string, error) {
	kept := bytes.Clone(data)
	got, err := eventsOf(newBytesScanner(data))
	if !bytes.Equal(kept, data) {
		err = errors.New("the document was written to")
	}
	return got, err
}

// FuzzAnswer: an answer is never both a failure to read and a success, a
// wrapped one means the same as a bare one, and no prefix of one is a success.
func FuzzAnswer(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), "text/xml; charset=utf-8", 7)
	}
	f.Add([]byte("<?xml version='1.0' encoding='iso-8859-1'?><result><code>SUCCESS</code><data>\xe4</data></result>"), "", 50)
	f.Add([]byte("\xff\xfe<\x00a\x00/\x00>\x00"), "text/xml", 3)
	f.Fuzz(func(t *testing.T, data []byte, contentType string, cut int) {
		read := func(data []byte) (answer, []byte, error) {
			var doc []byte
			want := payload(&doc)
			text, err := decoded(bytes.NewReader(data), contentType)
			if err != nil {
				return answer{}, nil, err
			}
			a, err := readAnswer(text, want)
			if err == nil && a.code == Success {
				err = want.check()
			}
			return a, doc, err
		}
		a, doc, err := read(data)
		headCode(data)
		endsWhole(data)
		if err != nil || a.code != Success {
			return
		}
		if _, err := events(bytes.NewReader(doc)); err != nil {
			t.Fatalf("the payload %q is not well-formed: %v", doc, err)
		}
		trimmed := bytes.TrimRight(data, " \t\r\n\x00")
		if cut = min(max(cut, 0), len(trimmed)-1); !bytes.HasSuffix(trimmed, []byte("-->")) && !bytes.HasSuffix(trimmed, []byte("?>")) {
			if _, _, err := read(trimmed[:cut]); err == nil {
				t.Fatalf("cut to %q it is still a success", trimmed[:cut])
			}
		}
		if charsetOf(data, contentType) != "utf-8" {
			return
		}
		contentType = "text/xml"
		again, wrapped, err := read([]byte("<string>" + xmlEscaped(string(data)) + "</string>"))
		if bytes.Contains(data, []byte("string")) {
			return // one wrapping too many
		}
		if err != nil || again != a || !bytes.Equal(doc, wrapped) {
			t.Fatalf("bare %v %q, wrapped %v %q %v", a, doc, again, wrapped, err)
		}
	})
}

// FuzzInnerText: the text that comes out of a wrapping is what went in.
func FuzzInnerText(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !xmlCarries(text) {
			return
		}
		for _, body := range []string{
			"<string>" + xmlEscaped(text) + "</string>",
			"<string><![CDATA[" + strings.ReplaceAll(text, "]]>", "]]]]><![CDATA[>") + "]]></string>",
		} {
			s := newScanner(iotest.HalfReader(strings.NewReader(body)))
			if _, err := s.next(); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(&innerText{s: s})
			if err != nil {
				t.Fatal(err)
			}
			want := text
			if strings.Contains(body, "CDATA") {
				want = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
			}
			if string(got) != want && !strings.Contains(text, "CDATA") {
				t.Fatalf("%q became %q", want, got)
			}
		}
	})
}

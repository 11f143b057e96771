package remote

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"paperfs/remote/xmlscan"
)

// seeds are documents of all forms.
var seeds = []string{
	result(Success, treeData), wrap(result(Success, treeData)), wrap(wrap(result(Failure, ""))),
	"<result><code>SUCCESS</code><data><a b='1' c=\"&#10;\t&lt;\"/>x&amp;<![CDATA[y]]]]><![CDATA[>]]>\r\n</data></result>",
	"\ufeff<?xml version=\"1.0\"?><!-- a - b --><?p i?><a:b xmlns:a=\"x\"></a:b>\n",
	"<!DOCTYPE a><a/>", "<a>]]></a>", "<a", "", "<a>&#x0;</a>", "<a>&nbsp;</a>", "<a><b></a></b>", "<a\xff/>", "<a>\xef\xbf\xbf</a>",
}

// FuzzAnswer checks that an answer that cannot be read is never a success, that a wrapped answer
// means the same as a bare one, and that no prefix of an answer is a success.
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
			text, err := xmlscan.Decode(bytes.NewReader(data), contentType)
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
		if err := wellFormed(doc); err != nil {
			t.Fatalf("the payload %q is not well-formed: %v", doc, err)
		}
		trimmed := bytes.TrimRight(data, " \t\r\n\x00")
		if cut = min(max(cut, 0), len(trimmed)-1); !bytes.HasSuffix(trimmed, []byte("-->")) && !bytes.HasSuffix(trimmed, []byte("?>")) {
			if _, _, err := read(trimmed[:cut]); err == nil {
				t.Fatalf("the answer cut to %q is still a success", trimmed[:cut])
			}
		}
		if xmlscan.CharsetOf(data, contentType) != "utf-8" {
			return
		}
		contentType = "text/xml"
		again, wrapped, err := read([]byte("<string>" + xmlscan.Escape(string(data)) + "</string>"))
		if bytes.Contains(data, []byte("string")) {
			return // may already be wrapped
		}
		if err != nil || again != a || !bytes.Equal(doc, wrapped) {
			t.Fatalf("bare %v %q, wrapped %v %q %v", a, doc, again, wrapped, err)
		}
	})
}

// wellFormed returns why the scanner rejects a document.
func wellFormed(doc []byte) error {
	for s := xmlscan.NewBytes(doc); ; {
		if tok, err := s.Next(); err != nil || tok == xmlscan.EOF {
			return err
		}
	}
}

// FuzzInnerText checks that reading a wrapped text returns the original.
func FuzzInnerText(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !xmlscan.Carries(text) {
			return
		}
		for _, body := range []string{
			"<string>" + xmlscan.Escape(text) + "</string>",
			"<string><![CDATA[" + strings.ReplaceAll(text, "]]>", "]]]]><![CDATA[>") + "]]></string>",
		} {
			s := xmlscan.New(iotest.HalfReader(strings.NewReader(body)))
			if _, err := s.Next(); err != nil {
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

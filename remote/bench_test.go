package remote

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"paperfs/remote/xmlscan"
)

func BenchmarkFormEscape(b *testing.B) {
	for name, value := range map[string]string{"ascii": strings.Repeat("a name of a thing ", 1000), "utf-8": strings.Repeat("Übergröße ", 1800)} {
		b.Run(name, func(b *testing.B) {
			body := make([]byte, 0, 3*len(value))
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				body = appendEscaped(body[:0], value, &unreserved)
			}
		})
	}
}

// noise returns content that is as incompressible as pictures.
func noise(size int) content {
	data := make([]byte, size)
	x := uint64(88172645463325252)
	for i := range data {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		data[i] = byte(x)
	}
	return content(data)
}

func BenchmarkMeasure(b *testing.B) {
	data := noise(16 << 20)
	b.SetBytes(data.Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := measure(ctx, data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBulkBody(b *testing.B) {
	data := noise(16 << 20)
	m, err := measure(ctx, data)
	if err != nil {
		b.Fatal(err)
	}
	piece := make([]byte, 32<<10)
	for name, e := range map[string]escaping{"raw": nil, "form": plusAlone} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(data.Size())
			b.ReportAllocs()
			for b.Loop() {
				content := &bulk{Content: data, measured: m}
				if e != nil {
					if err := content.countForm(ctx, e); err != nil {
						b.Fatal(err)
					}
				}
				body, err := content.body(nil, nil, e, content.inForm)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, body, piece); err != nil {
					b.Fatal(err)
				}
				body.Close()
			}
		})
	}
}

// bigTree returns the answer for a catalogue with this many nodes.
func bigTree(nodes int) string {
	var b strings.Builder
	b.WriteString(`<category id="1" name="Root" url="/">`)
	for n := 2; n <= nodes; {
		fmt.Fprintf(&b, "<category id=\"%d\" name=\"Category %d &amp; more\" url=\"/category-%d/\">\n", n, n, n)
		for range 100 {
			n++
			fmt.Fprintf(&b, `  <paper id="%d" name="Spring catalogue %d" url="/category/spring-catalogue-%d/" publicationperiod-from="2031-03-01 06:00:00" publicationperiod-to="2031-05-31 22:00:00" />`+"\n", n, n, n)
		}
		b.WriteString("</category>\n")
		n++
	}
	b.WriteString("</category>")
	return result(Success, b.String())
}

func BenchmarkParseTree(b *testing.B) {
	raw := bigTree(100_000)
	for name, body := range map[string]string{"raw": raw, "wrapped": wrap(raw)} {
		b.Run(name, func(b *testing.B) {
			data := []byte(body)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				count := 0
				text, err := xmlscan.Decode(bytes.NewReader(data), "text/xml")
				if err != nil {
					b.Fatal(err)
				}
				_, err = readAnswer(text, reading{data: func(s *xmlscan.Scanner) error {
					return visitNodes(s, Offers{}, func(Node) error { count++; return nil })
				}})
				if err != nil || count < 100_000 {
					b.Fatal(count, err)
				}
			}
		})
	}
}

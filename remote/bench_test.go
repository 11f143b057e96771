package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
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
				body = appendEscaped(body[:0], value)
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

func BenchmarkFormBase64(b *testing.B) {
	data := []byte(noise(blockSize))
	out := make([]byte, blockSize/3*12)
	b.Run("count", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		var t tally
		for b.Loop() {
			t.count(data)
		}
	})
	for name, e := range map[string]escaping{"encode": plusAlone, "encode, all escaped": allThree} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				appendBase64(out[:0], data, e)
			}
		})
	}
	b.Run("standard library", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			base64.StdEncoding.Encode(out, data)
		}
	})
	b.Run("sha-256", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			sha256.Sum256(data)
		}
	})
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
	b.SetBytes(data.Size())
	b.ReportAllocs()
	for b.Loop() {
		content := &bulk{Content: data, measured: m}
		body, err := content.body(nil)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, body, piece)
		if err != nil || n != content.length() {
			b.Fatal(n, err)
		}
		body.Close()
	}
}

// BenchmarkMeasured measures how long a writer waits for the checksum.
func BenchmarkMeasured(b *testing.B) {
	data := noise(64 << 20)
	b.SetBytes(data.Size())
	for b.Loop() {
		var m Measure
		for rest := []byte(data); len(rest) > 0; rest = rest[min(len(rest), 1<<20):] {
			m.Write(rest[:min(len(rest), 1<<20)])
		}
		m.result()
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

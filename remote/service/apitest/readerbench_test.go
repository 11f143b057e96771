package apitest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

// BenchmarkReader measures the page of a paper of three hundred pages with two links each: rendered
// for the first reader (budget: 20 ms), cached for the next, and unchanged for a reader that has it
// (budget: 2 ms).
func BenchmarkReader(b *testing.B) {
	s := start(b)
	paper := s.paper("1", "book")
	var sheets []pdftest.Sheet
	var links []store.Link
	for n := range 300 {
		sheets = append(sheets, pdftest.Sheet{Text: fmt.Sprintf("Page %d says this and that of a matter, in some thirty words or so, as pages do.\n", n+1)})
		for i := range 2 {
			links = append(links, store.Link{Page: n + 1, X: .1, Y: .3 * float64(i), Width: .3, Height: .1, LinkType: "url", URL: fmt.Sprintf("https://example.org/%d/%d", n, i)})
		}
	}
	s.process(paper, pdftest.Document(sheets), "")
	s.link(paper, links...)
	tag := s.visit("/book/").header.Get("ETag")
	for name, header := range map[string][]string{"made": nil, "kept": nil, "unchanged": {"If-None-Match", tag}} {
		b.Run(name, func(b *testing.B) {
			reader, n := *s, 0
			for b.Loop() {
				if n++; name == "made" {
					reader.host = fmt.Sprintf("h%d.example", n) // the page contains its full address
				}
				r := reader.get(s.http.URL+"/book/", append(header, "Accept-Encoding", "gzip")...)
				require.Equal(b, map[bool]int{true: http.StatusOK, false: http.StatusNotModified}[header == nil], r.status)
			}
		})
	}
}

package apitest

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/testrun"
)

// grow fills the default tenant with 100,000 papers in 1,000 categories.
func grow(b *testing.B, s *server) {
	s.place().Generate(s.t, generate.Spec{Papers: 100_000, Categories: 1000, Depth: 4, Seed: 1})
}

// BenchmarkGetAllPapers requests 100,000 papers: rendered again after a change, and cached.
func BenchmarkGetAllPapers(b *testing.B) {
	s := start(b)
	grow(b, s)
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", s.root())
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	paper := s.paper(s.root(), "changing")
	for _, changing := range []bool{true, false} {
		for _, coding := range []string{"identity", "gzip"} {
			b.Run(fmt.Sprintf("changed=%v/%s", changing, coding), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if changing {
						b.StopTimer()
						s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", coding+strconv.Itoa(i))
						b.StartTimer()
					}
					b.SetBytes(fetch(b, client, s.http.URL+remote.GetAllPapers.Path(), form, coding))
				}
			})
		}
	}
}

// fetch reads an answer and returns its uncompressed size.
func fetch(b *testing.B, client *http.Client, address string, form url.Values, coding string) int64 {
	request := testrun.Must(http.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode())))(b)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept-Encoding", coding)
	resp := testrun.Must(client.Do(request))(b)
	n := testrun.Must(io.Copy(io.Discard, resp.Body))(b)
	require.NoError(b, resp.Body.Close())
	if coding == "gzip" {
		require.Equal(b, "gzip", resp.Header.Get("Content-Encoding"))
		return 8 * n // a rough size: decompression would count the client's time
	}
	require.Greater(b, n, int64(9_000_000))
	return n
}

// BenchmarkMoveCategory moves a category with 50,000 papers below it, and changes its address.
func BenchmarkMoveCategory(b *testing.B) {
	s := start(b)
	s.place().Generate(s.t, generate.Spec{Papers: 50_000, Categories: 500, Depth: 4, Seed: 1})
	all := s.must(remote.GetAllPapers, "paperID", s.root())
	first := regexp.MustCompile(`<category id="(\d+)"`).FindAllStringSubmatch(all.data, 2)[1][1]
	b.Run("MovePaper", func(b *testing.B) {
		homes := []string{s.category(s.root(), "one"), s.category(s.root(), "two")}
		for i := 0; b.Loop(); i++ {
			s.must(remote.MovePaper, "sourcePaperID", first, "destinationParentID", homes[i%2])
		}
	})
	b.Run("ChangePaperUrl", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.must(remote.ChangePaperUrl, "paperID", first, "newUrl", "name-"+strconv.Itoa(i))
		}
	})
}

func BenchmarkGetPaperIDFromURL(b *testing.B) {
	s := start(b)
	s.paper(s.category(s.root(), "garden"), "spring")
	for b.Loop() {
		s.must(remote.GetPaperIDFromUrl, "url", "/garden/spring/")
	}
}

func BenchmarkCreatePaper(b *testing.B) {
	s := start(b)
	root := s.root()
	for i := 0; b.Loop(); i++ {
		s.paper(root, fmt.Sprint(i))
	}
}

func BenchmarkUploadFile10KiB(b *testing.B) {
	s := start(b)
	content := strings.Repeat("x", 10<<10)
	b.SetBytes(int64(len(content)))
	for i := 0; b.Loop(); i++ {
		s.upload("0", fmt.Sprint(i), content)
	}
}

// BenchmarkFormsOfATree requests the same 5,000 papers as XML and as JSON, made again after each change.
func BenchmarkFormsOfATree(b *testing.B) {
	s := start(b)
	s.place().Generate(s.t, generate.Spec{Papers: 5000, Categories: 100, Depth: 4, Seed: 1})
	paper := s.paper("1", "changing")
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", "1")
	i := 0
	for _, accept := range []string{"text/xml", "application/json"} {
		b.Run(accept, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				i++
				s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", strconv.Itoa(i))
				b.StartTimer()
				b.SetBytes(s.drain(accept, form))
			}
		})
	}
}

// drain requests a tree, and returns its size.
func (s *server) drain(accept string, form url.Values) int64 {
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+remote.GetAllPapers.Path(), strings.NewReader(form.Encode())))(s.t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "identity")
	resp := testrun.Must(http.DefaultClient.Do(req))(s.t)
	defer resp.Body.Close()
	return testrun.Must(io.Copy(io.Discard, resp.Body))(s.t)
}

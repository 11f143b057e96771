package apitest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// keptPage returns a server that caches every page in a file, and a paper of this many pages at
// /book/. A cached page has a Content-Length.
func keptPage(t *testing.T, pages int) (s *server, paper string) {
	s = start(t)
	s.setSpoolFrom(0)
	paper = s.paper("1", "book")
	s.process(paper, pdftest.Text(strings.Split(strings.Repeat("words\n", pages-1)+"the end", "\n")...), "")
	return s, paper
}

// read reads a page without the client's transparent compression, and reports whether it was
// cached.
func (s *server) read(ctx context.Context, path, coding string) (body string, kept bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.http.URL+path, nil)
	if err != nil {
		return "", false, err
	}
	request.Header.Set("Accept-Encoding", coding)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", false, err
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	return string(all), answer.ContentLength > 0, err
}

// TestManyReadersOfAPaperAreOneRendering checks that concurrent readers share one rendering and get
// the same page.
func TestManyReadersOfAPaperAreOneRendering(t *testing.T) {
	t.Parallel()
	s, _ := keptPage(t, 40)
	for _, coding := range []string{"identity", "gzip"} {
		var made atomic.Int32
		var readers sync.WaitGroup
		bodies := make([]string, 50)
		for i := range bodies {
			readers.Go(func() {
				body, kept, err := s.read(context.Background(), "/book/", coding)
				if err == nil && !kept {
					made.Add(1)
				}
				bodies[i] = body
			})
		}
		readers.Wait()
		require.EqualValues(t, 1, made.Load(), coding)
		for _, body := range bodies {
			require.True(t, body == bodies[0] && body != "", "all pages must be the same")
		}
	}
}

// TestASmallPageIsKept checks that a small page is cached in memory, and that HEAD returns its
// length.
func TestASmallPageIsKept(t *testing.T) {
	t.Parallel()
	s, _, _, _ := published(t)
	whole, _, err := s.read(t.Context(), "/one/", "identity")
	require.NoError(t, err)
	again, kept, err := s.read(t.Context(), "/one/", "identity")
	require.NoError(t, err)
	require.True(t, kept)
	require.Equal(t, whole, again)
	head := testrun.Must(http.Head(s.http.URL + "/one/"))(t)
	require.NoError(t, head.Body.Close())
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.EqualValues(t, len(whole), head.ContentLength)
	got := s.get(s.http.URL+"/one/", "Accept-Encoding", "identity")
	require.Equal(t, got.header.Get("Content-Security-Policy"), head.Header.Get("Content-Security-Policy"))
	require.Equal(t, got.header.Get("ETag"), head.Header.Get("ETag"))
}

// TestKeptPagesAreThoseOfNow checks that every change shows at once, and that a paper disappears
// when its period ends.
func TestKeptPagesAreThoseOfNow(t *testing.T) {
	t.Parallel()
	s, set := timed(t)
	s.setSpoolFrom(0)
	paper := s.paper("1", "book")
	s.process(paper, pdftest.Text("first", "second"), "")
	for _, step := range []struct {
		do  func()
		has string
	}{
		{func() {}, ">second</p>"},
		{func() { s.must(remote.SetSetting, "paperID", paper, "setting", "language", "value", "fr") }, `<html lang="fr"`},
		{func() {
			s.link(paper, store.Link{Page: 2, Width: 1, Height: 1, LinkType: "url", URL: "https://example.org/new"})
		}, "https://example.org/new"},
		{func() { s.process(paper, pdftest.Text("third"), "") }, ">third</p>"},
		{func() {
			s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2031-01-01", "to", "2031-06-01")
		}, ">third</p>"},
	} {
		step.do()
		for range 2 {
			body, _, err := s.read(t.Context(), "/book/", "identity")
			require.NoError(t, err)
			require.Contains(t, body, step.has)
		}
	}
	text, _, err := s.read(t.Context(), "/book/?View=text", "identity")
	require.NoError(t, err)
	require.NotContains(t, text, "preserveAspectRatio")
	token := s.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "90", "ip", "").element(t, "token")
	for range 2 {
		preview, kept, err := s.read(t.Context(), "/book/?SecurityToken="+token, "identity")
		require.NoError(t, err)
		require.Contains(t, preview, "noindex")
		require.False(t, kept)
	}
	set("2031-06-02 00:00:00")
	require.Equal(t, http.StatusNotFound, s.get(s.http.URL+"/book/").status)
}

// TestAReaderWhoLeavesKeepsNobodyWaiting checks that readers that wait for a page still get it if
// the reader for whom it is rendered disconnects.
func TestAReaderWhoLeavesKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	s, paper := keptPage(t, 40)
	for range 20 {
		s.link(paper) // changes the page
		ctx, leave := context.WithCancel(context.Background())
		var readers sync.WaitGroup
		var bodies [4]string
		for i := range bodies {
			readers.Go(func() {
				go leave()
				_, _, _ = s.read(ctx, "/book/", "identity")
			})
			readers.Go(func() {
				body, _, err := s.read(context.Background(), "/book/", "identity")
				if err == nil {
					bodies[i] = body
				}
			})
		}
		readers.Wait()
		leave()
		for _, body := range bodies {
			require.Contains(t, body, "the end")
			require.True(t, strings.HasSuffix(body, "</html>\n"))
		}
	}
}

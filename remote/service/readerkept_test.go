package service_test

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
	"paperfs/remote/service/pdf/pdftest"
	"paperfs/remote/service/store"
)

// keptPage is a server that keeps every page in a file, with a paper of so many pages at
// /book/. What was kept is told by its length, which is known before it is sent.
func keptPage(t *testing.T, pages int) (s *server, paper string) {
	s = start(t)
	s.service.SpoolFrom(0)
	paper = s.paper("1", "book")
	s.process(paper, pdftest.Text(strings.Split(strings.Repeat("words\n", pages-1)+"the end", "\n")...), "")
	return s, paper
}

// read reads a page, without the client's own compression, and reports whether it was cached.
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

// TestManyReadersOfAPaperAreOneRendering: the page is made once, and all get the same.
func TestManyReadersOfAPaperAreOneRendering(t *testing.T) {
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
			require.True(t, body == bodies[0] && body != "", "all are the same")
		}
	}
}

// TestASmallPageIsKept in memory, and HEAD has its length.
func TestASmallPageIsKept(t *testing.T) {
	s, _, _, _ := published(t)
	whole, _, err := s.read(t.Context(), "/one/", "identity")
	require.NoError(t, err)
	again, kept, err := s.read(t.Context(), "/one/", "identity")
	require.NoError(t, err)
	require.True(t, kept)
	require.Equal(t, whole, again)
	head, err := http.Head(s.http.URL + "/one/")
	require.NoError(t, err)
	require.NoError(t, head.Body.Close())
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.EqualValues(t, len(whole), head.ContentLength)
	got := s.get(s.http.URL+"/one/", "Accept-Encoding", "identity")
	require.Equal(t, got.header.Get("Content-Security-Policy"), head.Header.Get("Content-Security-Policy"))
	require.Equal(t, got.header.Get("ETag"), head.Header.Get("ETag"))
}

// TestKeptPagesAreThoseOfNow: whatever is changed is there at once, and what may not be
// seen any more is not there.
func TestKeptPagesAreThoseOfNow(t *testing.T) {
	s, set := timed(t)
	s.service.SpoolFrom(0)
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
	require.NotContains(t, text, "<svg")
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

// TestAReaderWhoLeavesKeepsNobodyWaiting: who waited for the page that was being made for
// another gets it all the same.
func TestAReaderWhoLeavesKeepsNobodyWaiting(t *testing.T) {
	s, paper := keptPage(t, 40)
	for range 20 {
		s.link(paper) // another edition
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

package reader_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// answered asks for an address without following it.
func (l *library) answered(path string) *http.Response {
	l.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := client.Get(l.URL + path)
	require.NoError(l, err)
	l.Cleanup(func() { r.Body.Close() })
	return r
}

// TestAnAddressLeadsToTheNewest checks that the address of a category leads to the paper that came out last, in the category or
// below it, as periods say, and that no cache keeps where it leads.
func TestAnAddressLeadsToTheNewest(t *testing.T) {
	t.Parallel()
	l := open(t)
	seasons := l.category("seasons")
	require.Equal(t, http.StatusNotFound, l.answered("/seasons/Newest.ashx").StatusCode, "nothing is published")
	below, err := l.client.CreateCategory(l.Context(), seasons, "Year", "year")
	require.NoError(t, err)
	now := time.Now().UTC()
	for name, p := range map[string]struct {
		to   int64
		from time.Time
	}{"old": {seasons.ID, now.AddDate(0, -2, 0)}, "new": {below, now.AddDate(0, -1, 0)}, "next": {seasons.ID, now.AddDate(0, 1, 0)}} {
		paper := l.paper(name, booklet(1))
		require.NoError(t, l.client.MovePaper(l.Context(), paper, p.to))
		require.NoError(t, l.client.SetPublicationPeriod(l.Context(), paper, remote.Period{From: p.from, To: now.AddDate(1, 0, 0)}))
	}
	r := l.answered("/seasons/Newest.ashx?HideNavigationBars=true")
	require.Equal(t, http.StatusFound, r.StatusCode)
	require.Equal(t, "no-store", r.Header.Get("Cache-Control"))
	require.Equal(t, "./year/new/?HideNavigationBars=true", r.Header.Get("Location"))
	require.Contains(t, l.html("/seasons/Newest.ashx"), "<h1 lang=\"en\" dir=\"auto\">Paper new</h1>")
	require.Equal(t, http.StatusNotFound, l.answered("/seasons/old/Newest.ashx").StatusCode, "a paper is no category")
	require.Equal(t, http.StatusNotFound, l.answered("/seasons/next/").StatusCode)
}

// TestOtherSitesAreToldHowToShowAPaper checks that a site finds out from the page of a paper how to show it in a frame, of the
// size that it has room for, and not from a preview.
func TestOtherSitesAreToldHowToShowAPaper(t *testing.T) {
	t.Parallel()
	l := open(t)
	paper := l.paper("book", booklet(2))
	_, at, _ := strings.Cut(l.html("/book/"), `<link rel="alternate" type="application/json+oembed" href="`)
	at, _, _ = strings.Cut(at, `"`)
	require.True(t, strings.HasPrefix(at, l.URL), at)
	var said map[string]any
	require.NoError(t, json.Unmarshal([]byte(l.html(strings.TrimPrefix(at, l.URL)+"?maxwidth=400&format=json")), &said))
	require.Contains(t, said["html"], `<iframe src="`+l.URL+`/book/" title="Paper book" width="400" height="640"`)
	for name, value := range map[string]any{"version": "1.0", "type": "rich", "title": "Paper book", "width": 400., "height": 640.} {
		require.Equal(t, value, said[name], name)
	}
	require.Equal(t, http.StatusOK, l.answered(strings.TrimPrefix(said["thumbnail_url"].(string), l.URL)).StatusCode)
	token, err := l.client.CreatePreviewToken(l.Context(), paper, 60, "")
	require.NoError(t, err)
	require.NotContains(t, l.html("/book/?SecurityToken="+token), "oembed")
	require.Equal(t, http.StatusNotFound, l.answered("/book/OEmbed.ashx?SecurityToken="+token).StatusCode)
}

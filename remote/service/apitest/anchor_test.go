package apitest

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAnAddressOfAPageLeadsThere checks that ?Page=N after a paper's address, as `paperfs url`
// prints it, leads to that page, and to the beginning if the paper has no such page.
func TestAnAddressOfAPageLeadsThere(t *testing.T) {
	t.Parallel()
	s, set := timed(t)
	look := func(path string) *http.Response {
		t.Helper()
		resp := testrun.Must(http.Get(s.http.URL + path))(t)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode, path)
		return resp
	}
	for path, anchor := range map[string]string{
		"/?Page=2": "p2", "?Page=3": "p3", "/?Page=3&ForceLanguage=de": "p3",
		"/": "", "/?Page=1": "", "/?Page=4": "", "/?Page=0": "", "/?Page=-2": "", "/?Page=x": "", "/?Page=99999999999": "",
	} {
		at := look("/garden/spring-2031" + path).Request.URL
		require.Equal(t, anchor, at.Fragment, path)
		if anchor != "" {
			require.Equal(t, "1", at.Query().Get("Page"), "another page number would hide the anchor of a link in the page")
			require.Contains(t, s.visit(at.RequestURI()).body, `id="`+anchor+`"`)
		}
	}
	require.Equal(t, url.Values{"ForceLanguage": {"de"}, "Page": {"1"}}, look("/garden/spring-2031/?Page=3&ForceLanguage=de").Request.URL.Query())

	set("2031-01-01 00:00:00")
	require.Equal(t, http.StatusNotFound, s.visit("/garden/spring-2031/?Page=2").status, "not published yet")
	token := s.must(remote.CreatePreviewToken, "paperID", "3", "validityMinutes", "60", "ip", "").element(t, "token")
	r := look("/garden/spring-2031/?SecurityToken=" + token + "&Page=2")
	require.Equal(t, "p2", r.Request.URL.Fragment)
	require.Equal(t, token, r.Request.URL.Query().Get("SecurityToken"))
	redirect := r.Request.Response
	require.Equal(t, "private, no-store", redirect.Header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", redirect.Header.Get("Referrer-Policy"))
}

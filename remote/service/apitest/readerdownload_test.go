package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

// TestDownload checks that, if the setting allows it, everyone who may see a paper can download its
// PDF unchanged.
func TestDownload(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	document := pdftest.Text("Spring")
	s.process(paper, document, pdfOptions(imports))
	at := s.http.URL + "/spring/Download.ashx"
	require.Equal(t, 404, s.get(at).status, "downloads are off by default")
	before := s.get(s.http.URL + "/spring/")
	require.NotContains(t, before.body, "Download.ashx")

	s.must(remote.SetSetting, "paperID", paper, "setting", "iconPdf", "value", "true")
	page := s.get(s.http.URL+"/spring/", "If-None-Match", before.header.Get("ETag"))
	require.Equal(t, 200, page.status, "the page has changed")
	require.Contains(t, page.body, `href="Download.ashx"`)
	r := s.get(at)
	require.Equal(t, 200, r.status)
	require.Equal(t, string(document), r.body)
	require.Equal(t, []string{"application/pdf", "sandbox", `attachment; filename=spring.pdf`, "no-cache"},
		[]string{r.header.Get("Content-Type"), r.header.Get("Content-Security-Policy"), r.header.Get("Content-Disposition"), r.header.Get("Cache-Control")})
	require.Equal(t, 304, s.get(at, "If-None-Match", r.header.Get("ETag")).status)
	require.Equal(t, 206, s.get(at, "Range", "bytes=0-3").status)
	require.Equal(t, 404, s.get(s.http.URL+"/Download.ashx").status, "a category has no download")

	empty := s.paper(s.root(), "empty")
	s.must(remote.SetSetting, "paperID", empty, "setting", "iconPdf", "value", "true")
	require.Equal(t, 404, s.get(s.http.URL+"/empty/Download.ashx").status)
	require.NotContains(t, s.get(s.http.URL+"/empty/").body, "Download.ashx")

	s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2030-01-01 00:00:00", "to", "2030-02-01 00:00:00")
	require.Equal(t, 404, s.get(at).status)
	token := s.must(remote.CreatePreviewToken, "paperID", paper, "validityMinutes", "60", "ip", "").element(t, "token")
	r = s.get(at + "?SecurityToken=" + token)
	require.Equal(t, 200, r.status)
	require.Equal(t, "private, no-store", r.header.Get("Cache-Control"))
	require.Equal(t, 404, s.get(at+"?SecurityToken=00000000-0000-4000-8000-000000000000").status)
}

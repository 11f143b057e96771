package apitest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// everyAddress returns an address of each kind that a reader serves.
func everyAddress(t *testing.T, s *server, paper, name string) map[string]string {
	t.Helper()
	s.must(remote.SetSetting, "paperID", paper, "setting", "iconPdf", "value", "true")
	file := s.upload("0", "list.txt", "x")
	image := strings.ReplaceAll(imageSource.FindStringSubmatch(s.visit(name).body)[1], "&amp;", "&")
	page, _, _ := strings.Cut(strings.TrimPrefix(image, "Image.ashx?"), "&")
	return map[string]string{
		"paper": name, "text view": name + "?View=text", "shelf": "/", "style": assetPath(t, s, "css"), "script": assetPath(t, s, "js"),
		"image": name + image, "layer": name + "Layer.ashx?" + page, "PDF": name + "Download.ashx", "media": "/media/" + file + "/list.txt",
	}
}

// TestNotModifiedHasTheHeadersOfTheWhole checks that a 304 has the headers that caches need (RFC
// 9110, 15.4.5) for each kind of address, and that a list of tags matches too.
func TestNotModifiedHasTheHeadersOfTheWhole(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	for what, at := range everyAddress(t, s, one, "/one/") {
		for _, coding := range []string{"identity", "gzip"} {
			whole := s.get(s.http.URL+at, "Accept-Encoding", coding)
			require.Equal(t, http.StatusOK, whole.status, what)
			tag := whole.header.Get("ETag")
			require.NotEmpty(t, tag, what)
			for _, asked := range []string{tag, `"other", ` + tag, "*"} {
				r := s.get(s.http.URL+at, "Accept-Encoding", coding, "If-None-Match", asked)
				require.Equal(t, http.StatusNotModified, r.status, "%s %s", what, asked)
				require.Empty(t, r.body)
				for _, name := range []string{"Cache-Control", "Content-Location", "ETag", "Expires", "Vary"} {
					require.Equal(t, whole.header.Values(name), r.header.Values(name), "%s %s %s", what, coding, name)
				}
			}
			require.Equal(t, http.StatusOK, s.get(s.http.URL+at, "Accept-Encoding", coding, "If-None-Match", `"other", W/"another"`).status, what)
		}
	}
}

// askHost requests a page from a host, and reports whether the page was cached.
func (s *server) askHost(host, path string, header http.Header) (r reply, kept bool) {
	s.t.Helper()
	request := testrun.Must(http.NewRequest(http.MethodGet, s.http.URL+path, nil))(s.t)
	if header != nil {
		request.Header = header
	}
	request.Host = host
	answer := testrun.Must(http.DefaultTransport.RoundTrip(request))(s.t)
	defer answer.Body.Close()
	body := testrun.Must(io.ReadAll(answer.Body))(s.t)
	return reply{status: answer.StatusCode, header: answer.Header, body: string(body)}, answer.ContentLength > 0
}

// TestAPageIsThatOfItsHost checks that no host gets the page of another host, or a 304 for it,
// because a page contains its full address. The hosts belong to one tenant or to two, and their
// cached pages do not replace each other.
func TestAPageIsThatOfItsHost(t *testing.T) {
	t.Parallel()
	s, _ := keptPage(t, 3)
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example"}, RootURL: "/"}))
	key := testrun.Must(s.admin().AddAccount("other", "APIKey", remote.Admin))(t)
	other := s.as("APIKey", key).at("other.example")
	other.process(other.paper(other.root(), "book"), pdftest.Text("words", "words", "the end"), "")

	hosts := []string{"a.example", "b.example", "a.example:8443", "other.example"}
	plain := http.Header{"Accept-Encoding": {"identity"}}
	tags := map[string]bool{}
	for round := range 2 {
		for _, path := range []string{"/book/", "/book/?View=text", "/"} {
			for _, host := range hosts {
				r, kept := s.askHost(host, path, plain)
				require.Equal(t, http.StatusOK, r.status)
				require.Contains(t, r.body, `<link rel="canonical" href="http://`+host+strings.TrimSuffix(path, "?View=text")+`">`)
				if round == 0 {
					require.False(t, tags[r.header.Get("ETag")], "%s %s has the ETag of another host", host, path)
					tags[r.header.Get("ETag")] = true
				} else if path != "/" {
					require.True(t, kept, "%s %s was not cached", host, path)
				}
				for _, asked := range hosts {
					again, _ := s.askHost(asked, path, http.Header{"If-None-Match": {r.header.Get("ETag")}})
					require.Equal(t, asked == host, again.status == http.StatusNotModified, "%s for %s", asked, host)
				}
			}
		}
	}
}

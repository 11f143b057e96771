package apitest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestUploadsActInNobodysName checks that no browser guesses another type for a media file or runs
// it as a page of this host, whatever its name and the request. (Tested by hand in Chromium: HTML,
// SVG, XHTML and XML do nothing.)
func TestUploadsActInNobodysName(t *testing.T) {
	t.Parallel()
	s := start(t)
	const content = `<!DOCTYPE html><script>fetch("/V2/")</script>`
	for _, name := range []string{"a.html", "a.HTM", "a.svg", "a.js", "a.mjs", "a.xhtml", "a.xml", "a.css", "a.pdf", "a.swf", "a.wasm", "a.txt", "a.jpg", "a", "a.html.", "a.unknown"} {
		id := s.upload("0", name, content)
		address := s.must(remote.GetTree).attribute(t, "url")
		for way, header := range map[string][2]string{"": {"Accept", "*/*"}, "a part": {"Range", "bytes=1-5"}, "unchanged": {"If-None-Match", "*"}, "no part": {"Range", "bytes=999-"}} {
			req := testrun.Must(http.NewRequest(http.MethodGet, address, nil))(t)
			req.Header.Set(header[0], header[1])
			r := testrun.Must(http.DefaultClient.Do(req))(t)
			r.Body.Close()
			require.Less(t, r.StatusCode, 417)
			require.Equal(t, "nosniff", r.Header.Get("X-Content-Type-Options"), "%s %s", name, way)
			require.Equal(t, "sandbox", r.Header.Get("Content-Security-Policy"), "%s %s: scripts, forms and frames must have no rights", name, way)
			require.True(t, r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "", name)
		}
		s.must(remote.DeleteFile, "fileID", id)
	}
}

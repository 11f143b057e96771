package apitest

import (
	"crypto/sha256"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAMediaFileHasAFileOfItsOwn checks which content is opened as a file, and that it is readable to
// its end after it was replaced.
func TestAMediaFileHasAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	text := strings.Repeat("large", store.SmallContent)
	open := func(id, content string) (*os.File, error) {
		number := testrun.Must(strconv.ParseInt(id, 10, 64))(t)
		return s.service.MediaFile(t.Context(), "127.0.0.1:80", number, sha256.Sum256([]byte(content)))
	}
	small, large := s.upload("0", "small", "small"), s.upload("0", "large", text)
	for id, content := range map[string]string{small: "small", large: "another", "999": text} {
		_, err := open(id, content)
		require.ErrorIs(t, err, store.ErrNotFound)
	}
	f := testrun.Must(open(large, text))(t)
	defer f.Close()
	require.Equal(t, large, s.upload("0", "large", text+"r"))
	s.must(remote.DeleteFile, "fileID", large)
	require.Equal(t, 1, s.contents(), "both are removed")
	require.Equal(t, text, string(testrun.Must(io.ReadAll(f))(t)))
	_, err := open(large, text)
	require.ErrorIs(t, err, store.ErrNotFound)
}

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

// connection takes files as the HTTP server's connections do.
type connection struct {
	*httptest.ResponseRecorder
	files int64 // bytes that came as a file
}

func (c *connection) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(c.ResponseRecorder, r)
	if part, ok := r.(*io.LimitedReader); ok {
		if _, ok = part.R.(*os.File); ok {
			c.files += n
		}
	}
	return n, err
}

// TestAFileIsSentWithoutCopies checks that the connection gets the file, so that the kernel sends it.
func TestAFileIsSentWithoutCopies(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	content := strings.Repeat("content ", 100_000)
	s.upload("0", "file", content)
	media := strings.TrimPrefix(s.must(remote.GetTree).attribute(t, "url"), s.http.URL)
	for part, want := range map[string]string{"": content, "bytes=100000-599999": content[100_000:600_000], "bytes=-10": content[len(content)-10:]} {
		r := httptest.NewRequest("GET", media, nil)
		if part != "" {
			r.Header.Set("Range", part)
		}
		w := &connection{ResponseRecorder: httptest.NewRecorder()}
		s.service.ServeHTTP(w, r)
		require.Equal(t, want, w.Body.String(), part)
		require.EqualValues(t, len(want), w.files, part)
	}
}

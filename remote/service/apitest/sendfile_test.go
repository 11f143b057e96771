package apitest

import (
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

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

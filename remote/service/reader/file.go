package reader

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// mostRanges is how many parts of a file are in one answer. Each is a search in the content, which
// may lie in another engine, and has a head of its own: many small ones cost far more than the whole.
const mostRanges = 10

// serveFile answers with a file, or with the parts of it that are asked for. Whoever asks for too
// many gets the whole (RFC 9110, 14.2).
func serveFile(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) {
	if strings.Count(r.Header.Get("Range"), ",") >= mostRanges {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, content)
}

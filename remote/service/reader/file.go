package reader

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// mostRanges is the largest number of ranges in one answer. Each range needs a seek in the content,
// which may be in another engine, and a header: many small ranges cost far more than the whole file.
const mostRanges = 10

// ServeFile serves a file, or the requested ranges of it. A request for too many ranges gets the
// whole file (RFC 9110, 14.2).
func ServeFile(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) {
	if strings.Count(r.Header.Get("Range"), ",") >= mostRanges {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, content)
}

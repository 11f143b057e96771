package negotiate

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// ZipFrom is the minimum size in bytes of an answer worth compressing.
const ZipFrom = 1400

// compressors pools compressors: each takes a megabyte.
var compressors = sync.Pool{New: func() any {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return zip
}}

// Compressor returns a compressor that writes to w. Pass it to Return after closing it.
func Compressor(w io.Writer) *gzip.Writer {
	zip := compressors.Get().(*gzip.Writer)
	zip.Reset(w)
	return zip
}

// Return returns a compressor to the pool.
func Return(zip *gzip.Writer) {
	zip.Reset(nil) // drops the reference to w
	compressors.Put(zip)
}

// AcceptsGzip reports whether Accept-Encoding contains gzip with a weight other than 0.
func AcceptsGzip(r *http.Request) bool {
	for _, item := range strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(item), ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q, found := strings.CutPrefix(strings.TrimSpace(weight), "q=")
		value, err := strconv.ParseFloat(q, 64)
		return !found || (err == nil && value > 0)
	}
	return false
}

package negotiate

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// ZipFrom is the least answer worth compressing, in bytes.
const ZipFrom = 1400

// compressors are kept: each is a megabyte to make.
var compressors = sync.Pool{New: func() any {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return zip
}}

// Compressor is one that writes to w. Return takes it back when it is closed.
func Compressor(w io.Writer) *gzip.Writer {
	zip := compressors.Get().(*gzip.Writer)
	zip.Reset(w)
	return zip
}

// Return keeps a compressor for the next answer.
func Return(zip *gzip.Writer) {
	zip.Reset(nil) // nothing is kept of the answer before
	compressors.Put(zip)
}

// AcceptsGzip reads Accept-Encoding: gzip, not refused by a weight of 0.
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

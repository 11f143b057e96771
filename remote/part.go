package remote

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Part says which bytes of a file Download reads, and of which version. The zero value is all
// of the version that the service has.
type Part struct {
	From int64  // offset of the first byte
	To   int64  // offset behind the last byte; 0: to the end
	Tag  string // strong ETag of the version; "": any version
}

// Received is the answer to Download: the bytes of a part, in order.
type Received struct {
	io.ReadCloser
	Size   int64  // of the whole file, in bytes; -1 if the answer does not say
	Tag    string // strong ETag of the version; "" if the service gives none
	Summed bool   // Tag is the SHA-256 of the version, as the service has said before
	Ranges bool   // the service sends just the part; else all was asked for, and what follows the part comes, too
}

// ask writes the headers of a request. Compression would change what the offsets count.
func (p Part) ask(h http.Header) {
	h.Set("Accept-Encoding", "identity")
	switch {
	case p.To > 0:
		h.Set("Range", fmt.Sprintf("bytes=%d-%d", p.From, p.To-1))
	case p.From > 0:
		h.Set("Range", fmt.Sprintf("bytes=%d-", p.From))
	}
	if p.Tag != "" {
		h.Set("If-Match", p.Tag)
	}
}

// given reads the Content-Range of an answer with a part. It returns the length of the part and
// the size of the file (-1: not told), and whether this is the part that was asked for.
func (p Part) given(header string) (length, size int64, ok bool) {
	var from, last int64
	if n, err := fmt.Sscanf(header, "bytes %d-%d/%d", &from, &last, &size); err != nil || n != 3 {
		if !strings.HasSuffix(header, "/*") {
			return 0, 0, false
		}
		if _, err := fmt.Sscanf(header, "bytes %d-%d/", &from, &last); err != nil {
			return 0, 0, false
		}
		size = -1
	}
	end := p.To
	if size >= 0 && (end == 0 || end > size) {
		end = size
	}
	if end == 0 {
		end = last + 1
	}
	return last + 1 - from, size, from == p.From && last >= from && last+1 == end
}

// behind reads the Content-Range of an answer 416: the part begins at or behind the file's end.
func (p Part) behind(header string) (size int64, ok bool) {
	n, err := fmt.Sscanf(header, "bytes */%d", &size)
	return size, err == nil && n == 1 && size >= 0 && size <= p.From
}

// strongTag returns the ETag of an answer if equal tags mean equal bytes, else "".
func strongTag(h http.Header) string {
	if tag := h.Get("ETag"); len(tag) >= 2 && tag[0] == '"' && tag[len(tag)-1] == '"' {
		return tag
	}
	return ""
}

package service

import (
	"io"
	"net/http"
	"strings"
)

// lingerMost is how many bytes of a request are read past for an answer that
// does not need them. Ordinary clients look for an answer when they have sent
// everything: if the connection ended sooner, they would never see it.
const lingerMost = 32 << 20

// requestBody knows how much of a request's body was read, and whether to its
// end.
type requestBody struct {
	io.ReadCloser
	begun, ended bool
	bytes        int64
}

func (b *requestBody) Read(p []byte) (int, error) {
	b.begun = true
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	b.ended = b.ended || err != nil
	return n, err
}

// linger reads past the rest of the body before an answer to it goes out. Of a
// body that says it is larger than the limit it reads nothing, nor of one that
// waits for a word before it is sent.
func (l *requestLog) linger() {
	b := l.body
	switch {
	case b == nil, b.ended, l.request.ContentLength == 0, l.request.ContentLength > lingerMost:
		return
	case !b.begun && strings.EqualFold(l.request.Header.Get("Expect"), "100-continue"):
		return
	}
	rest := &stallReader{http.NewResponseController(l.ResponseWriter), b}
	// What fails here shows when the answer is written.
	_, _ = io.CopyN(io.Discard, rest, lingerMost)
}

package service

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// lingerMost is how many bytes of a request are read past for an answer that
// does not need them. Ordinary clients look for an answer when they have sent
// everything: if the connection ended sooner, they would never see it.
const lingerMost = 32 << 20

// lingerRest is how long the HTTP server then has for what it reads by itself,
// 256 KiB, so that it sees that there is more and ends the connection gently.
const lingerRest = 5 * time.Second

// linger reads past the rest of the body before an answer to it goes out. Of a
// body that says it is larger than the limit it reads nothing, nor of one that
// waits for a word before it is sent.
func (b *requestBody) linger(r *http.Request) {
	switch {
	case b == nil, b.ended, r.ContentLength == 0, r.ContentLength > lingerMost:
		return
	case !b.begun && strings.EqualFold(r.Header.Get("Expect"), "100-continue"):
		return
	}
	b.content, b.judge = nil, nil // nothing depends on them any more
	// A failure here shows again when the answer is written.
	_, _ = io.CopyN(io.Discard, b, lingerMost)
	switch {
	case b.drips:
		b.deadlines.EndReading()
	case !b.ended:
		b.deadlines.Read(time.Now().Add(lingerRest))
	}
}

package admission

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// lingerMost is how many bytes of a body Linger reads past. Ordinary clients look for an
// answer when they have sent everything: if the connection ended sooner, they would
// never see it.
const lingerMost = 32 << 20

// lingerRest is how long the HTTP server then has for the 256 KiB that it reads by
// itself, so that it notices that there is more and closes the connection gently.
const lingerRest = 5 * time.Second

// Linger reads past the rest of the body before the service answers. It reads nothing of
// a body whose declared length is past the limit, nor of one whose client waits for
// 100 Continue. A nil Body has no rest.
func (b *Body) Linger(r *http.Request) {
	switch {
	case b == nil, b.ended, r.ContentLength == 0, r.ContentLength > lingerMost:
		return
	case !b.begun && strings.EqualFold(r.Header.Get("Expect"), "100-continue"):
		return
	}
	b.Content, b.Judge = nil, nil // the answer is decided
	// A failure here shows again when the answer is written.
	_, _ = io.CopyN(io.Discard, b, lingerMost)
	switch {
	case b.tooSlow:
		b.Deadlines.EndReading()
	case !b.ended:
		b.Deadlines.Read(time.Now().Add(lingerRest))
	}
}

package control

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"paperfs/cache/media"
)

// renderUploads lists uploads under way, waiting and failed, one line each. Paths are quoted
// as in Go, and start at the mount's root. A failed one is shown where it is, which retry and discard always take: its
// destination may be that of something else by now.
//
//	sending "media/logos/acme.svg" 4096 of 18231 bytes since 2026-12-01T09:30:00Z
//	waiting "papers/Spring.pdf" 120 bytes
//	waiting "media/film.mp4" 913222 bytes, tried 3 times, again at 2026-12-01T09:31:00Z: the service cannot be reached
//	failed ".paperfs/failed/film.mp4" 913222 bytes of "media/film.mp4" since 2026-12-01T09:28:11Z: the service refuses a request of this size
func renderUploads(uploads []media.Upload, queue []media.Queued, failed []media.FailedEntry) []byte {
	var b strings.Builder
	for _, u := range uploads {
		if !u.Waiting {
			fmt.Fprintf(&b, "sending %q %d of %d bytes since %s\n", u.Place, u.Sent, u.Total, stamp(u.Since))
		}
	}
	for _, q := range queue {
		if !q.Sending {
			fmt.Fprintf(&b, "waiting %q %d bytes%s\n", q.Place, q.Size, tried(q))
		}
	}
	for _, e := range failed {
		fmt.Fprintf(&b, "failed %q %d bytes of %q since %s: %s\n", ".paperfs/failed/"+e.Name, e.Size, e.Place(), stamp(e.Since), inOneLine(e.Reason))
	}
	return []byte(b.String())
}

// tried returns how often sending a queued file failed, and why.
func tried(q media.Queued) string {
	switch {
	case q.Attempts == 0 && q.LastError != "":
		return ": " + inOneLine(q.LastError)
	case q.Attempts == 0:
		return ""
	}
	text := fmt.Sprintf(", tried %d times", q.Attempts)
	if !q.NextTry.IsZero() {
		text += ", again at " + stamp(q.NextTry)
	}
	return text + ": " + inOneLine(q.LastError)
}

// inOneLine returns a reason without characters that would end its line or control a
// terminal.
func inOneLine(reason string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, strings.Join(strings.Fields(reason), " "))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

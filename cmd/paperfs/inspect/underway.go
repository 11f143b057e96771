package inspect

import (
	"fmt"
	"time"

	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
)

// underWayLine says what the mount waits for.
func underWayLine(c control.Call, now time.Time) string {
	text := fmt.Sprintf("%s for %s: ", c.Operation, now.Sub(c.Since).Round(time.Second/10))
	switch c.Waits {
	case "limit":
		return text + "it waits for the request limit"
	case "pause":
		return text + "it failed and is repeated after a pause"
	}
	if c.Sent > 64<<10 { // so much is content, not parameters
		return text + fmt.Sprintf("%s sent, no answer yet", humanize.IBytes(uint64(c.Sent)))
	}
	return text + "no answer yet"
}

// jobLine describes a PDF that the service may still be processing.
func jobLine(j control.Job, now time.Time) string {
	text := fmt.Sprintf("%s: its PDF was sent %s ago", j.Place, age(now.Sub(j.Since)))
	if j.Asked == nil {
		return text + "; `paperfs wait` of the paper asks whether its pages are ready"
	}
	return text + fmt.Sprintf(", and the service was still processing it %s ago", age(now.Sub(*j.Asked)))
}

// age formats a duration for people.
func age(d time.Duration) string {
	if d < time.Minute {
		return d.Round(time.Second / 10).String()
	}
	return d.Round(time.Second).String()
}

package main

import (
	"fmt"
	"time"

	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
)

// underWayLine tells what the mount waits for.
func underWayLine(c control.Call, now time.Time) string {
	text := fmt.Sprintf("%s for %s: ", c.Operation, now.Sub(c.Since).Round(time.Second/10))
	switch c.Waits {
	case "limit":
		return text + "it waits for the request limit"
	case "pause":
		return text + "it failed and is repeated after a pause"
	}
	if c.Sent > 64<<10 { // more than names and numbers
		return text + fmt.Sprintf("%s sent, no answer yet", humanize.IBytes(uint64(c.Sent)))
	}
	return text + "no answer yet"
}

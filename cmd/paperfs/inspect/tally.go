package inspect

import (
	"fmt"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
)

// tally sums up the uploads since the wait began.
type tally struct {
	known map[string]control.Upload // by path, as last seen
	files int                       // finished
	bytes int64
}

// add returns how far the uploads are, and why one makes no progress.
func (t *tally) add(info control.MediaInfo) string {
	now := make(map[string]control.Upload, len(info.Uploads))
	var sent, size int64
	var failed, trouble string
	if info.Failed > 0 {
		failed = fmt.Sprintf(", %d in .paperfs/failed", info.Failed)
	}
	for _, u := range info.Uploads {
		now[u.Path] = u
		sent += u.Sent
		size += u.Size
		if u.LastError != "" {
			trouble = "; " + cli.Printable(fmt.Sprintf("%s: %s", u.Path, u.LastError))
		}
	}
	for path, u := range t.known {
		if _, still := now[path]; !still {
			t.files++
			t.bytes += u.Size
		}
	}
	t.known = now
	return fmt.Sprintf("%d of %d files, %s of %s", t.files, t.files+len(now), humanize.IBytes(uint64(sent+t.bytes)), humanize.IBytes(uint64(size+t.bytes))) + failed + trouble
}

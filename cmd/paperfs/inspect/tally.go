package inspect

import (
	"fmt"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
)

// tally sums up the uploads since the watch began.
type tally struct {
	known map[string]control.Upload // by path, as last seen
	files int                       // finished
	bytes int64
}

// moment is the progress of the uploads.
type moment struct {
	files, allFiles int
	bytes, allBytes int64
	failed          int
	trouble         string // why an upload makes no progress
}

func (t *tally) add(info control.MediaInfo) moment {
	now := make(map[string]control.Upload, len(info.Uploads))
	m := moment{failed: info.Failed}
	for _, u := range info.Uploads {
		now[u.Path] = u
		m.bytes += u.Sent
		m.allBytes += u.Size
		if u.LastError != "" {
			m.trouble = cli.Printable(fmt.Sprintf("%s: %s", u.Path, u.LastError))
		}
	}
	for path, u := range t.known {
		if _, still := now[path]; !still {
			t.files++
			t.bytes += u.Size
		}
	}
	t.known = now
	m.files, m.allFiles = t.files, t.files+len(now)
	m.bytes, m.allBytes = m.bytes+t.bytes, m.allBytes+t.bytes
	return m
}

func (m moment) String() string {
	text := fmt.Sprintf("%d of %d files, %s of %s", m.files, m.allFiles, humanize.IBytes(uint64(m.bytes)), humanize.IBytes(uint64(m.allBytes)))
	if m.failed > 0 {
		text += fmt.Sprintf(", %d in .paperfs/failed", m.failed)
	}
	if m.trouble != "" {
		text += "; " + m.trouble
	}
	return text
}

package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
)

// The journal of systemd has a time and a level of its own for each entry: a line that begins with
// <3> is an error (sd-daemon(3)).

// journaled reports whether a file is the stream to the journal that the service manager tells of.
func journaled(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}

// leveled writes lines of slog with the level that the journal reads.
type leveled struct{ to io.Writer }

var journalLevels = []struct{ level, prefix string }{
	{slog.LevelError.String(), "<3>"}, {slog.LevelWarn.String(), "<4>"}, {slog.LevelInfo.String(), "<6>"}, {slog.LevelDebug.String(), "<7>"},
}

// Write takes a line, which slog writes at once.
func (l leveled) Write(line []byte) (int, error) {
	prefix := ""
	for _, level := range journalLevels {
		if bytes.HasPrefix(line, []byte("level="+level.level)) || bytes.HasPrefix(line, []byte(`{"level":"`+level.level)) {
			prefix = level.prefix
		}
	}
	_, err := l.to.Write(append([]byte(prefix), line...))
	return len(line), err
}

// withoutTime leaves out what the journal has itself.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// The systemd journal adds a time and a level to each entry. A line that begins with <3> is an
// error (sd-daemon(3)).

// IsJournal reports whether a file is the stream to the journal that the service manager set up.
func IsJournal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}

// leveled writes slog's lines with the level prefix that the journal parses.
type leveled struct{ to io.Writer }

func WithLevels(to io.Writer) io.Writer { return leveled{to} }

var journalLevels = []struct{ level, prefix string }{
	{slog.LevelError.String(), "<3>"}, {slog.LevelWarn.String(), "<4>"}, {slog.LevelInfo.String(), "<6>"}, {slog.LevelDebug.String(), "<7>"},
}

// Write takes one line, which slog writes in one call.
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

// WithoutTime drops the time, which the journal adds itself.
func WithoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// Journal is the value of --log-file for the system's journal.
const Journal = "journal"

// JournalSocket accepts the standard error of services.
const JournalSocket = "/run/systemd/journal/stdout"

// OpenJournal returns a stream to the journal in which each line is an entry, as systemd-cat
// does.
func OpenJournal(socket string) (*os.File, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	f := os.NewFile(uintptr(fd), "the system's journal")
	err = unix.Connect(fd, &unix.SockaddrUnix{Name: socket})
	if err == nil {
		const identifier, unit, priority, prefixes, forwarded = "paperfs", "", "6", "1", "0\n0\n0"
		_, err = fmt.Fprintf(f, "%s\n%s\n%s\n%s\n%s\n", identifier, unit, priority, prefixes, forwarded)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--log-file %s: there is no journal at %s: %w", Journal, socket, err), f.Close())
	}
	return f, nil
}

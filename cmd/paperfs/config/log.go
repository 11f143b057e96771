package config

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"paperfs/cmd/paperfs/cli"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"
)

// Logger returns a logger that writes one line for each event, to stderr if no log was opened.
func (c *Config) Logger() (*slog.Logger, error) {
	return newLogger(c.LogLevel, c.LogFormat, cmp.Or(c.LogTo, os.Stderr), c.toJournal)
}

func newLogger(levelName, format string, file *os.File, journal bool) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(levelName)); err != nil {
		return nil, &cli.UsageError{Err: fmt.Errorf("--log-level %q: give debug, info, warn or error", levelName)}
	}
	o := &slog.HandlerOptions{Level: level}
	var to io.Writer = file
	if journal || cli.IsJournal(file) {
		o.ReplaceAttr, to = cli.WithoutTime, cli.WithLevels(file)
	}
	handler := func(to io.Writer) slog.Handler { return slog.NewTextHandler(to, o) }
	if format == "json" {
		handler = func(to io.Writer) slog.Handler { return slog.NewJSONHandler(to, o) }
	}
	return slog.New(handler(cli.NewLogWriter(to, func(to io.Writer, lines int) {
		slog.New(handler(to)).Warn("lines of the log were dropped, because nothing read it", "lines", lines)
	}))), nil
}

// OpenLog opens the log. It returns nil for standard error.
func (c *Config) OpenLog(dir string) (*os.File, error) {
	place := c.LogFile
	if place == "" && c.InDaemon {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		place = daemonLog(cli.JournalSocket, abs)
	}
	switch place {
	case "":
		return nil, nil
	case cli.Journal:
		c.toJournal = true
		return cli.OpenJournal(cli.JournalSocket)
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return nil, c.logFailure(err)
	}
	if info, err := os.Stat(place); err == nil && !info.Mode().IsRegular() && place != os.DevNull {
		return nil, &cli.UsageError{Err: fmt.Errorf("--log-file: %s is not a regular file: name one, or journal", place)}
	}
	f, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_APPEND|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, c.logFailure(err)
	}
	return f, nil
}

// logFailure names the setting of a log that cannot be opened, if there is one.
func (c *Config) logFailure(err error) error {
	if c.LogFile != "" {
		return fmt.Errorf("--log-file: %w", err)
	}
	return fmt.Errorf("the log of the background process (--log-file names another): %w", err)
}

// daemonLog returns the default log of a daemon.
func daemonLog(socket, dir string) string {
	if _, err := os.Stat(socket); err == nil {
		return cli.Journal
	}
	return filepath.Join(xdg.StateHome, "paperfs", "log", logName(dir))
}

// logName returns a name that is unique for a mount point: its end for people, and a hash,
// since the ends of two mount points may be equal.
func logName(dir string) string {
	const most = 100
	name := strings.ReplaceAll(strings.Trim(dir, "/"), "/", "-")
	if len(name) > most {
		name = strings.ToValidUTF8(name[len(name)-most:], "")
	}
	sum := sha256.Sum256([]byte(dir))
	return fmt.Sprintf("%s-%x.log", name, sum[:4])
}

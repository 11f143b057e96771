package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"os"
	"paperfs/cmd/paperfs/usage"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"
)

// logger writes one line an event, to stderr where no log was opened.
func (c *Config) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, &usage.Error{Err: fmt.Errorf("--log-level %q: give debug, info, warn or error", c.LogLevel)}
	}
	o, file := &slog.HandlerOptions{Level: level}, os.Stderr
	if c.logTo != nil {
		file = c.logTo
	}
	var to io.Writer = file
	if c.toJournal || journaled(file) {
		o.ReplaceAttr, to = withoutTime, withLevels(file)
	}
	switch c.LogFormat {
	case "text":
		return slog.New(slog.NewTextHandler(to, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(to, o)), nil
	}
	return nil, &usage.Error{Err: fmt.Errorf("--log-format %q: give text or json", c.LogFormat)}
}

// openLog opens where the log goes, nil for standard error.
func (c *Config) openLog(dir string) (*os.File, error) {
	place := c.LogFile
	if place == "" && c.inDaemon {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		place = daemonLog(journalSocket, abs)
	}
	switch place {
	case "":
		return nil, nil
	case journal:
		c.toJournal = true
		return openJournal(journalSocket)
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return nil, fmt.Errorf("--log-file: %w", err)
	}
	if info, err := os.Stat(place); err == nil && !info.Mode().IsRegular() && place != os.DevNull {
		return nil, &usage.Error{Err: fmt.Errorf("--log-file: %s is no regular file: name one, or journal", place)}
	}
	f, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_APPEND|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--log-file: %w", err)
	}
	return f, nil
}

// daemonLog is where the log of a daemon goes that was told nothing.
func daemonLog(socket, dir string) string {
	if _, err := os.Stat(socket); err == nil {
		return journal
	}
	return filepath.Join(xdg.StateHome, "paperfs", "log", logName(dir))
}

// logName is of one mount point alone: its last elements for people, and a hash, since
// others look alike, or are too long.
func logName(dir string) string {
	const most = 100
	name := strings.ReplaceAll(strings.Trim(dir, "/"), "/", "-")
	if len(name) > most {
		name = strings.ToValidUTF8(name[len(name)-most:], "")
	}
	sum := sha256.Sum256([]byte(dir))
	return fmt.Sprintf("%s-%x.log", name, sum[:4])
}

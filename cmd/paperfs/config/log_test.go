package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestLogsOfMountPointsThatLookAlike checks that similar mount points have different log names, and
// that no name is too long for a file.
func TestLogsOfMountPointsThatLookAlike(t *testing.T) {
	require.Regexp(t, `^a-b-[0-9a-f]{8}\.log$`, logName("/a/b"))
	require.NotEqual(t, logName("/a-b"), logName("/a/b"))
	require.Less(t, len(logName("/"+strings.Repeat("ä/", 125))), 255)
	require.Regexp(t, `-end-[0-9a-f]{8}\.log$`, logName(strings.Repeat("/long", 100)+"/end"))
}

// TestLogOfAServiceHasLevels checks that lines for the journal, which JOURNAL_STREAM identifies, have
// a level, which the journal parses, and no time, which the journal adds.
func TestLogOfAServiceHasLevels(t *testing.T) {
	stream := testrun.Must(os.Create(t.TempDir() + "/stream"))(t)
	defer stream.Close()
	info := testrun.Must(stream.Stat())(t)
	s := info.Sys().(*syscall.Stat_t)
	t.Setenv("JOURNAL_STREAM", fmt.Sprintf("%d:%d", s.Dev, s.Ino))
	for _, format := range []string{"text", "json"} {
		log := testrun.Must((&Config{LogTo: stream, LogLevel: "debug", LogFormat: format}).Logger())(t)
		log.Error("one", "level", "odd")
		log.With("a", 1).Warn("two\nlines")
		log.Info("three")
		log.Debug("four")
	}
	text := testrun.Must(os.ReadFile(stream.Name()))(t)
	require.Equal(t, `<3>level=ERROR msg=one level=odd
<4>level=WARN msg="two\nlines" a=1
<6>level=INFO msg=three
<7>level=DEBUG msg=four
<3>{"level":"ERROR","msg":"one","level":"odd"}
<4>{"level":"WARN","msg":"two\nlines","a":1}
<6>{"level":"INFO","msg":"three"}
<7>{"level":"DEBUG","msg":"four"}
`, string(text))
	t.Setenv("JOURNAL_STREAM", "1:1") // inherited from a parent service; this process has another stderr
	log := testrun.Must((&Config{LogTo: stream, LogLevel: "debug", LogFormat: "text"}).Logger())(t)
	log.Info("five")
	text = testrun.Must(os.ReadFile(stream.Name()))(t)
	require.Contains(t, string(text), "time=")
}

// TestADaemonThatWasToldNothingUsesTheJournal checks that, without an option, a daemon logs to the
// journal if there is one.
func TestADaemonThatWasToldNothingUsesTheJournal(t *testing.T) {
	there := t.TempDir()
	require.Equal(t, cli.Journal, daemonLog(there, "/a"))
	require.Equal(t, logName("/a"), filepath.Base(daemonLog(there+"/none", "/a")))
}

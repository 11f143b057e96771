package media

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/lock"
	"paperfs/cache/content/tree"
	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// TestMain makes every test of this package, and every process that the tests start, end at
// once if a lock is taken out of order, or if something that may wait happens under Tree.Mu.
// This makes locks about five times slower, so benchmarks and the race detector, which is slow
// enough, do without it. A test also fails if an event violates the table of states, and the
// package if a goroutine is left behind.
//
// Tests run side by side, except those that replace disk.SyncFile or count the process's
// descriptors.
func TestMain(m *testing.M) {
	temporary.InMemory()
	testrun.ShortWithout(notShort...)
	testrun.SideBySide(4)
	testrun.Checks(12)
	tree.OnEvent = inTable
	if flag.Lookup("test.bench").Value.String() == "" && !raceEnabled {
		checkLocks()
	}
	testrun.Main(m, func() error {
		if what := outside.Load(); what != nil { // of a child, or of the last test
			return errors.New(*what)
		}
		return nil
	})
}

func checkLocks() {
	lock.Check()
	readLocks()
	disk.CrashPoint = unlocked
	sync := disk.SyncFile
	disk.SyncFile = func(f *os.File) error {
		unlocked("sync")
		return sync(f)
	}
}

// unlocked ends the process if this goroutine holds Tree.Mu or a later lock that is held only
// briefly.
func unlocked(what string) {
	if lock.Holds[lock.Store]() || lock.Holds[lock.Outbox]() || lock.Holds[lock.Flights]() {
		panic(fmt.Sprintf("while holding the store's lock: %s", what))
	}
}

// unasked ends the process if a request starts under a lock that is not held during requests.
func unasked(what string) {
	unlocked(what)
	if lock.Holds[lock.Body]() || lock.Holds[lock.Failures]() || lock.Holds[lock.Table]() {
		panic(fmt.Sprintf("while holding a content lock, which must not be held during requests: %s", what))
	}
}

// unlockedLog is a log that must not be used under Tree.Mu.
type unlockedLog struct{ slog.Handler }

func (l unlockedLog) Enabled(context.Context, slog.Level) bool { return true }

func (l unlockedLog) Handle(_ context.Context, r slog.Record) error {
	unlocked(r.Message)
	return nil
}

// TestTheOrderOfLocksIsTheTable compares the checked order with the table in doc.go.
func TestTheOrderOfLocksIsTheTable(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(doc), "//\tlock        it guards")
	require.True(t, found)
	_, after, _ = strings.Cut(after, "\n")
	var order []string
	for line := range strings.Lines(after) {
		row, isRow := strings.CutPrefix(line, "//\t")
		if !isRow {
			break
		}
		if name := strings.Fields(row)[0]; !strings.HasPrefix(row, " ") {
			order = append(order, name)
		}
	}
	require.Equal(t, lock.Order, order)
}

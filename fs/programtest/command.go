// Package programtest runs programs for tests. [Command] puts each test's programs into one
// process group, which is killed at the end of the test or of the test process, however
// that ends. Signals have their defaults, even if the tests run under nohup, and the test
// sets the environment. [RequirePrograms] skips a test whose script misses a program.
//
// Lock: groups, a leaf.
package programtest

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Command returns a program that is killed after limit (0: never) and, with everything it
// leaves behind, at the end of the test at the latest. It inherits the environment of the
// test process unless the test sets Env; see Bare.
func Command(t testing.TB, limit time.Duration, name string, args ...string) *exec.Cmd {
	t.Helper()
	restoreSignals()
	ctx, cancel := context.Background(), func() {}
	if limit > 0 {
		ctx, cancel = context.WithTimeout(ctx, limit)
	}
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: groupOf(t)}
	cmd.WaitDelay = limit // for the descendants of the program; a second would depend on the machine's load
	return cmd
}

// restoreSignals restores the defaults of the signals that this process ignores, for the
// programs that it starts. Go passes an ignored signal on, and resets one that it listens to.
var restoreSignals = sync.OnceFunc(func() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} { // Go ignores no others
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // nothing reads it, so this process still ignores the signal
		}
	}
})

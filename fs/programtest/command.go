// Package programtest runs programs for tests: each test's programs are in one
// process group, which ends with the test or with the process that tests,
// however that ends; signals are at their defaults, also where the tests run
// under nohup; and the test sets the environment.
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

// Command is a program that is killed after limit (0: none) and ends, with
// whatever it leaves behind, at the end of the test at the latest. Its
// environment is that of the test until Env is set; Bare sets another.
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
	cmd.WaitDelay = limit // for what the program leaves behind; a second would be a matter of the machine's load
	return cmd
}

// restoreSignals restores the defaults of the signals that this process ignores,
// for the programs that it starts. Go passes an ignored signal on, and resets one that it listens to.
var restoreSignals = sync.OnceFunc(func() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} { // of others, Go ignores none
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // nobody reads it, so this process goes on ignoring it
		}
	}
})

package serving

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestACommandsEndIsPassedOn checks exit codes, signals, and errors of another kind.
func TestACommandsEndIsPassedOn(t *testing.T) {
	require.NoError(t, ExitOf(nil))
	require.ErrorIs(t, ExitOf(os.ErrClosed), os.ErrClosed)
	for script, code := range map[string]int{"exit 7": 7, "kill -TERM $$": 128 + 15} {
		var told *ExitError
		require.ErrorAs(t, ExitOf(exec.Command("sh", "-c", script).Run()), &told, script)
		require.Equal(t, code, told.Code, script)
	}
}

// TestAnAbandonedProcessInheritsNoPipe checks that a pipe is hidden from it, and that a file is not.
func TestAnAbandonedProcessInheritsNoPipe(t *testing.T) {
	read, write := testrun.Must2(os.Pipe())(t)
	defer read.Close()
	defer write.Close()
	_, isFile := withoutPipe(write).(*os.File)
	require.False(t, isFile)
	file := testrun.Must(os.Create(t.TempDir() + "/file"))(t)
	defer file.Close()
	require.Same(t, file, withoutPipe(file))
	var b bytes.Buffer
	require.Same(t, &b, withoutPipe(&b))
}

// TestEachBeatIsHeard checks that listen ends with the process, and with the command.
func TestEachBeatIsHeard(t *testing.T) {
	answers, ended := make(chan struct{}), make(chan struct{})
	go func() {
		listen(t.Context(), bytes.NewReader(make([]byte, 3)), answers)
		close(ended)
	}()
	for range 3 {
		<-answers
	}
	<-ended
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	listen(ctx, bytes.NewReader(make([]byte, 3)), make(chan struct{})) // nobody takes an answer
}

// TestASignalEndsACommandThatNothingReads checks that a signal ends a command that cannot end by itself,
// because nothing reads what it writes, although the mount answers it.
func TestASignalEndsACommandThatNothingReads(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), "sleep", "600")
	require.NoError(t, c.Start())
	signals, answers, outcome := make(chan os.Signal, 1), make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case answers <- struct{}{}:
			case <-t.Context().Done():
				return
			}
		}
	}()
	signals <- syscall.SIGWINCH // which sleep does not notice
	go func() { outcome <- supervise(mountpoint.Mount{}, c, signals, make(chan error), answers) }()
	select {
	case err := <-outcome:
		require.Equal(t, &ExitError{128 + int(syscall.SIGWINCH)}, err)
	case <-time.After(testrun.Patience()):
		require.Fail(t, "the command does not end")
	}
}

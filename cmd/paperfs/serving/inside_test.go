package serving

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"testing"

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
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	defer write.Close()
	_, isFile := withoutPipe(write).(*os.File)
	require.False(t, isFile)
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
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

package profile

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPasswordFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	for content, want := range map[string]string{"secret\n": "secret", "secret": "secret", " se cret \r\n": " se cret "} {
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		got, err := PasswordFromFile(file)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.NoError(t, os.WriteFile(file, []byte("\n"), 0o600))
	_, err := PasswordFromFile(file)
	require.ErrorContains(t, err, "is empty")
	for _, lines := range []string{"a\nb\n", "a\n\n", "\na"} {
		require.NoError(t, os.WriteFile(file, []byte(lines), 0o600))
		_, err := PasswordFromFile(file)
		require.ErrorContains(t, err, file+" has several lines: a password file holds only the password")
	}
	for _, mode := range []os.FileMode{0o640, 0o604} {
		require.NoError(t, os.Chmod(file, mode))
		_, err := PasswordFromFile(file)
		require.ErrorContains(t, err, "others can read "+file+". Run: chmod 600 "+file)
	}
}

// TestPasswordOfAPipe checks that the password is what a program writes into the pipe, and that the
// wait for it has a limit.
func TestPasswordOfAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	limit := pipeLimit
	t.Cleanup(func() { pipeLimit = limit })
	pipeLimit = time.Minute
	writer := exec.Command("sh", "-c", `printf secret > "$1"`, "sh", pipe)
	require.NoError(t, writer.Start())
	password, err := PasswordFromFile(pipe)
	require.NoError(t, err)
	require.NoError(t, writer.Wait())
	require.Equal(t, "secret", password)
	pipeLimit = 10 * time.Millisecond
	_, err = PasswordFromFile(pipe)
	require.EqualError(t, err, pipe+" is a pipe, and no password was written into it within 10ms")

	unlocking, err := os.OpenFile(pipe, os.O_RDWR, 0)
	require.NoError(t, err)
	time.AfterFunc(20*pipeLimit, func() { // as if the user first unlocks a keyring
		_, _ = unlocking.WriteString("secret\n")
		unlocking.Close()
	})
	password, err = PasswordFromFile(pipe)
	require.NoError(t, err)
	require.Equal(t, "secret", password)

	f, err := os.OpenFile(pipe, os.O_RDWR|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = readPipe(f, pipeLimit, pipeLimit)
	require.EqualError(t, err, pipe+" is a pipe, and the program that has it open did not write a password and close it within 10ms")
}

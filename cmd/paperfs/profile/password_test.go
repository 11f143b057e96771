package profile

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

func TestPasswordFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	for content, want := range map[string]string{"secret\n": "secret", "secret": "secret", " se cret \r\n": " se cret "} {
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		require.Equal(t, want, testrun.Must(PasswordFromFile(file))(t))
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

// TestPasswordOfAPipe checks that the password is what a program writes into the pipe.
func TestPasswordOfAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	writer := exec.Command("sh", "-c", `printf secret > "$1"`, "sh", pipe)
	require.NoError(t, writer.Start())
	password := testrun.Must(PasswordFromFile(pipe))(t)
	require.NoError(t, writer.Wait())
	require.Equal(t, "secret", password)
}

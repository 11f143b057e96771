package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	file, draft := filepath.Join(dir, "file"), filepath.Join(dir, "draft")
	replace := func(path, text string, written error) error {
		f := testrun.Must(os.Create(draft))(t)
		testrun.Must(f.WriteString(text))(t)
		return Replace(path, f, written)
	}
	require.NoError(t, replace(file, "old", nil))
	notWritten := errors.New("not written")
	require.ErrorIs(t, replace(file, "half", notWritten), notWritten)
	require.NoFileExists(t, draft)
	require.Error(t, replace(filepath.Join(dir, "missing", "file"), "lost", nil))
	require.NoFileExists(t, draft)
	content := testrun.Must(os.ReadFile(file))(t)
	require.Equal(t, "old", string(content))
	require.NoError(t, replace(file, "new", nil))
	content = testrun.Must(os.ReadFile(file))(t)
	require.Equal(t, "new", string(content))
}

package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	file, draft := filepath.Join(dir, "file"), filepath.Join(dir, "draft")
	replace := func(path, text string, written error) error {
		f, err := os.Create(draft)
		require.NoError(t, err)
		_, err = f.WriteString(text)
		require.NoError(t, err)
		return Replace(path, f, written)
	}
	require.NoError(t, replace(file, "old", nil))
	notWritten := errors.New("not written")
	require.ErrorIs(t, replace(file, "half", notWritten), notWritten)
	require.NoFileExists(t, draft)
	require.Error(t, replace(filepath.Join(dir, "missing", "file"), "lost", nil))
	require.NoFileExists(t, draft)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "old", string(content))
	require.NoError(t, replace(file, "new", nil))
	content, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "new", string(content))
}

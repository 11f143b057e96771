package datadir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/filestore"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// named returns a data directory whose records name content.
func named(t *testing.T) (data, key string) {
	data = t.TempDir()
	s := opened(t, data)
	require.NoError(t, FirstStart(t.Context(), s, data))
	files := testrun.Must(OpenContents(t.Context(), data, s))(t)
	key = storetest.WriteContent(t, files, storetest.Bytes(1, 100_000))
	require.NoError(t, s.Write(t.Context(), 1, func(tx store.Writer) error {
		_, err := tx.AddFile(1, store.File{Name: "file", Size: 100_000, Content: key})
		return err
	}))
	return data, key
}

// TestDataThatDoesNotBelongTogetherIsRefused checks that a database is served only with its own
// content, and that the check changes nothing.
func TestDataThatDoesNotBelongTogetherIsRefused(t *testing.T) {
	t.Parallel()
	content := func(data string) string { return filepath.Join(data, ContentDir) }
	for words, spoil := range map[string]func(t *testing.T, data string){
		"":                             func(*testing.T, string) {},
		"is missing or empty":          func(t *testing.T, data string) { require.NoError(t, os.RemoveAll(content(data))) },
		"which says to which database": func(t *testing.T, data string) { require.NoError(t, os.Remove(filepath.Join(content(data), "id"))) },
		"where the database has to be": func(t *testing.T, data string) {
			require.NoError(t, os.RemoveAll(filepath.Join(data, DatabaseFile)))
			require.NoError(t, os.Mkdir(filepath.Join(data, DatabaseFile), 0o700))
		},
		"an unfinished copy of THERE": func(t *testing.T, data string) { require.NoError(t, MarkCopy(data, "THERE")) },
		"belongs to other content": func(t *testing.T, data string) {
			require.NoError(t, testrun.Must(filestore.Open(content(data)))(t).SetID(filestore.NewID()))
		},
		"its database is missing or empty": func(t *testing.T, data string) {
			found := testrun.Must(filepath.Glob(filepath.Join(data, DatabaseFile+"*")))(t)
			for _, file := range found {
				require.NoError(t, os.Remove(file))
			}
		},
		"not a database of paperfs": func(t *testing.T, data string) {
			found := testrun.Must(filepath.Glob(filepath.Join(data, DatabaseFile+"-*")))(t)
			for _, file := range found {
				require.NoError(t, os.Remove(file))
			}
			require.NoError(t, os.WriteFile(filepath.Join(data, DatabaseFile), []byte("something else"), 0o600))
		},
	} {
		t.Run(words, func(t *testing.T) {
			data, key := named(t)
			spoil(t, data)
			before := testrun.Must(os.ReadDir(data))(t)
			_, err := Check(t.Context(), data)
			if words == "" {
				require.NoError(t, err)
				require.FileExists(t, filepath.Join(content(data), key[:2], key))
			} else {
				var foreign *ForeignDataError
				require.ErrorAs(t, err, &foreign)
				require.ErrorContains(t, err, words)
				require.NotEmpty(t, foreign.Advice)
			}
			after := testrun.Must(os.ReadDir(data))(t)
			require.Equal(t, len(before), len(after), "the check changes nothing")
		})
	}
}

// TestACopyIsServedOnceItIsComplete checks that the mark of a copy goes with its end, also twice.
func TestACopyIsServedOnceItIsComplete(t *testing.T) {
	t.Parallel()
	data, _ := named(t)
	require.NoError(t, MarkCopy(data, "THERE"))
	_, err := Check(t.Context(), data)
	require.Error(t, err)
	_, err = CheckTarget(t.Context(), data)
	require.NoError(t, err, "the copy goes on there")
	for range 2 {
		require.NoError(t, EndCopy(data))
		require.True(t, testrun.Must(Check(t.Context(), data))(t))
	}
}

// TestOneProcessServesADirectory checks that a second lock is refused in words.
func TestOneProcessServesADirectory(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "new")
	lock := testrun.Must(Lock(data))(t)
	_, err := Lock(data)
	var held *HeldError
	require.ErrorAs(t, err, &held)
	require.Equal(t, os.Getpid(), held.PID)
	require.NoError(t, lock.Release())
	lock = testrun.Must(Lock(data))(t)
	require.NoError(t, lock.Release())
}

package apitest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
)

// TestCheckFixKeepsContentThatGotARecordMeanwhile checks that content is not binned which had no
// record when the check read the records, and has one when the check comes to it.
func TestCheckFixKeepsContentThatGotARecordMeanwhile(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "file", large)
	kept, orphan := s.holding(large), filepath.Join(s.data, "content", "ab", someKey)
	require.NoError(t, os.MkdirAll(filepath.Dir(orphan), 0o700))
	for _, fix := range []bool{false, true} {
		require.NoError(t, os.WriteFile(orphan, []byte(large), 0o600))
		require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
		names := func(key string) { execute(t, s.database(), `UPDATE media_file SET content = '`+key+`'`) }
		r := s.check(admin.CheckOptions{Fix: fix, Progress: func(int, int) { names(someKey) }}) // the records were read before
		require.Empty(t, r.Fixed)
		require.NotContains(t, r.Orphans, someKey)
		require.FileExists(t, orphan)
		require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
		names(filepath.Base(kept))
	}
	require.Len(t, s.check(admin.CheckOptions{Fix: true}).Fixed, 1, "without a record it is binned")
	require.NoFileExists(t, orphan)
}

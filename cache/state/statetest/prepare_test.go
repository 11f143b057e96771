package statetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
)

// TestAPreparedStateIsLikeANewOne compares the schemas, and checks that what a state holds stays.
func TestAPreparedStateIsLikeANewOne(t *testing.T) {
	t.Parallel()
	schema := func(d state.Dirs, value string) (all string) {
		st, err := state.Open(d, "/mnt")
		require.NoError(t, err)
		defer func() { require.NoError(t, st.Close()) }()
		require.NoError(t, st.DB().QueryRow("SELECT group_concat(sql, char(10) ORDER BY name) FROM sqlite_schema").Scan(&all))
		had, _, err := st.Value("key")
		require.NoError(t, err)
		require.Equal(t, value, had)
		require.NoError(t, st.SetValue("key", "kept"))
		return all
	}
	dir := t.TempDir()
	prepared := state.Dirs{State: filepath.Join(dir, "a", "state"), Cache: filepath.Join(dir, "a", "cache")}
	fresh := state.Dirs{State: filepath.Join(dir, "b", "state"), Cache: filepath.Join(dir, "b", "cache")}
	Prepare(t, prepared)
	require.Equal(t, schema(fresh, ""), schema(prepared, ""))
	Prepare(t, prepared)
	schema(prepared, "kept")
	info, err := os.Stat(state.Database(prepared.State))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

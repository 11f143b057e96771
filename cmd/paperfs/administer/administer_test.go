package administer

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/fullcopy"
	"paperfs/remote/testrun"
)

const (
	database = "postgres://me@db.example/papers"
	objects  = "s3://s3.example/bucket/papers"
)

// TestACopyHasOneDataDirectory checks both directions, and that each wrong pair of places says what to give.
func TestACopyHasOneDataDirectory(t *testing.T) {
	there := fullcopy.Place{Database: database, Objects: objects}
	from, to, err := places("data", database, []string{objects})
	require.NoError(t, err)
	require.Equal(t, []fullcopy.Place{{Data: "data"}, there}, []fullcopy.Place{from, to})
	from, to = testrun.Must2(places(database, "data", []string{objects}))(t)
	require.Equal(t, []fullcopy.Place{there, {Data: "data"}}, []fullcopy.Place{from, to})

	for says, words := range map[string][]string{
		"give both --from and --to":        {"data", ""},
		"one of --from and --to must be a": {"a", "b"},
		"give that of the object store":    {"a", database},
		"leave it out, and set PGPASSWORD": {"a", "postgres://me:sesame@db.example/papers", objects},
		"they belong in the environment":   {"a", database, "s3://me:sesame@s3.example/bucket"},
		"the form is postgres://USER@H":    {"https://x.example/papers", "b", objects},
	} {
		_, _, err := places(words[0], words[1], words[2:])
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "sesame")
	}
}

// TestABackupThatIsInterruptedSaysHowItContinues ends a backup as a signal does.
func TestABackupThatIsInterruptedSaysHowItContinues(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	require.NoError(t, testrun.Must(service.Open(service.Options{Data: data, Log: slog.New(slog.DiscardHandler)}))(t).Close())
	a := testrun.Must(admin.Open(data))(t)
	defer a.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	require.EqualError(t, (&call{}).backup(cmd, a, filepath.Join(t.TempDir(), "backup")), "interrupted: run the command again to continue")
}

// TestLimitsOfATenant checks the forms of a limit, in a flag and in a table.
func TestLimitsOfATenant(t *testing.T) {
	n := testrun.Must(size("media-bytes", "1.5KiB", anySize))(t)
	require.EqualValues(t, 1536, *n)
	require.Equal(t, "1 of 1536", of("1", n, decimal))
	require.Equal(t, "1536", orAny(n))
	n = testrun.Must(size("media-bytes", "any", anySize))(t)
	require.Nil(t, n)
	require.Equal(t, "1", of("1", n, decimal))
	require.Equal(t, "any", orAny(n))
	var wrong *cli.UsageError
	_, err := size("media-bytes", "1,5GiB", anySize)
	require.ErrorAs(t, err, &wrong)
	require.Nil(t, limit(unlimited))
	require.Zero(t, *limit(0))
}

// TestAnImportNamesWhatIsNew checks that the summary leaves out what there was none of.
func TestAnImportNamesWhatIsNew(t *testing.T) {
	require.Equal(t, "nothing to import", summary(admin.Report{}))
	require.Equal(t, "imported new papers: 2, links: 1", summary(admin.Report{Papers: 2, Links: 1}))
}

// TestEachRoleHasAName checks that the names of roles are those of the flag.
func TestEachRoleHasAName(t *testing.T) {
	for name, role := range roles {
		require.Equal(t, name, roleName(role))
	}
	require.False(t, strings.ContainsAny(roleName(remote.Role(99)), "abcdefghijklmnopqrstuvwxyz"))
}

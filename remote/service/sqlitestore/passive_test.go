package sqlitestore

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// openedFile is the environment variable that makes TestOpeningChild the process that repeatedly
// opens a database.
const openedFile = "SQLITESTORE_TEST_OPENED_FILE"

// TestReadStillBesideOthers checks that a database that other processes open, change and close can
// be read at any moment, and shows every earlier change, even when the last of them removes the log
// and index.
func TestReadStillBesideOthers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "s.db")
	require.NoError(t, testrun.Must(Open(t.Context(), file))(t).Close())
	ended := make(chan error, 2)
	for range cap(ended) {
		program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOpeningChild$")
		program.Env = append(os.Environ(), openedFile+"="+file)
		go func() { ended <- program.Run() }()
	}
	seen, left := 0, cap(ended)
	for left > 0 {
		select {
		case err := <-ended:
			require.NoError(t, err)
			left--
		default:
		}
		var now int
		require.NoError(t, ReadPassive(t.Context(), file, func(tx store.Reader) error {
			all, err := tx.Tenants()
			now = len(all)
			return err
		}))
		require.GreaterOrEqual(t, now, seen)
		seen = now
		testrun.Must(Inspect(t.Context(), file, "data"))(t)
	}
	require.Equal(t, cap(ended)*openings, seen)
}

// TestALogThatAKillCut checks that a database can be read if its service was killed when the log
// had only a few bytes.
func TestALogThatAKillCut(t *testing.T) {
	t.Parallel()
	live := filepath.Join(t.TempDir(), "s.db")
	s := testrun.Must(Open(t.Context(), live))(t)
	defer s.Close()
	testrun.Must(s.writer.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"))(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "t", RootURL: "/"})
		return err
	}))
	info := testrun.Must(os.Stat(live + logSuffix))(t)
	for _, length := range []int64{0, 1, logHeader - 1, logHeader, logHeader + 1, logHeader + 24, logHeader + 24 + 4096, info.Size() - 1, info.Size()} {
		t.Run(strconv.FormatInt(length, 10), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s.db")
			for _, suffix := range []string{"", logSuffix, indexSuffix} {
				require.NoError(t, copyFile(live+suffix, file+suffix))
			}
			require.NoError(t, os.Truncate(file+logSuffix, length))
			before := testrun.Must(statFiles(file))(t)
			tenants := -1
			require.NoError(t, ReadPassive(t.Context(), file, func(tx store.Reader) error {
				all, err := tx.Tenants()
				tenants = len(all)
				return err
			}))
			testrun.Must(Inspect(t.Context(), file, "data"))(t)
			require.Equal(t, before, testrun.Must(statFiles(file))(t))
			if length == info.Size() {
				require.Equal(t, 1, tenants)
			} else {
				require.Zero(t, tenants)
			}
		})
	}
}

const openings = 50

// TestOpeningChild adds a tenant each time.
func TestOpeningChild(t *testing.T) {
	file := os.Getenv(openedFile)
	if file == "" {
		t.Skip("the process that TestReadStillBesideOthers starts")
	}
	for range openings {
		s := testrun.Must(OpenExisting(t.Context(), file))(t)
		require.NoError(t, s.Write(context.Background(), store.AllTenants, func(tx store.Writer) error {
			_, err := tx.AddTenant(store.Tenant{Name: uuid.NewString(), RootURL: "/"})
			return err
		}))
		require.NoError(t, s.Close())
	}
}

package durable

import (
	"bytes"
	"database/sql"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"modernc.org/libc"
	_ "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"paperfs/remote/testrun"
)

// commits is the number of changes that a test commits.
const commits = 20

// change opens a database with or without the file system, and commits changes.
func change(t *testing.T, file string, parameters url.Values) *sql.DB {
	parameters["_pragma"] = []string{"journal_mode(WAL)", "synchronous(FULL)"}
	db := testrun.Must(sql.Open("sqlite", "file:"+file+"?"+parameters.Encode()))(t)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	testrun.Must(db.Exec("CREATE TABLE IF NOT EXISTS t (n INTEGER)"))(t)
	for n := range commits {
		testrun.Must(db.Exec("INSERT INTO t VALUES (?)", n))(t)
	}
	return db
}

// childFile makes the test program the child that TestCommitsAreSyncedByFdatasync traces.
const childFile = "PAPERFS_TEST_DATASYNC"

func TestCommitsAreSyncedByFdatasync(t *testing.T) {
	if file := os.Getenv(childFile); file != "" {
		change(t, file, url.Values{"vfs": {VFS()}})
		return
	}
	strace := testrun.Program(t, "strace")
	trace := filepath.Join(t.TempDir(), "trace")
	child := exec.CommandContext(t.Context(), strace, "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", trace, os.Args[0], "-test.run", "^"+t.Name()+"$")
	child.Env = append(os.Environ(), childFile+"="+filepath.Join(t.TempDir(), "db"))
	if said, err := child.CombinedOutput(); err != nil {
		if bytes.Contains(said, []byte("PTRACE_")) {
			testrun.Missing(t, "the right to trace programs ("+string(bytes.TrimSpace(said))+")")
		}
		t.Fatalf("%v\n%s", err, said)
	}
	calls := testrun.Must(os.ReadFile(trace))(t)
	require.GreaterOrEqual(t, bytes.Count(calls, []byte("fdatasync(")), commits)
	require.Less(t, bytes.Count(calls, []byte(" fsync(")), commits, "fsync is only for new files")
	require.Positive(t, bytes.Count(calls, []byte(" fsync(")), "new files need fsync for their names")
}

// TestBothFileSystemsShareADatabase has one process change a database through both file
// systems, like the service and programs that read its database.
func TestBothFileSystemsShareADatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "db")
	for _, db := range []*sql.DB{
		change(t, file, url.Values{"vfs": {VFS()}}), change(t, file, url.Values{}), change(t, file, url.Values{"vfs": {VFS()}}),
	} {
		var sound string
		require.NoError(t, db.QueryRow("PRAGMA integrity_check").Scan(&sound))
		require.Equal(t, "ok", sound)
		var count int
		require.NoError(t, db.QueryRow("SELECT count(*) FROM t").Scan(&count))
		require.Equal(t, 3*commits, count)
	}
}

// TestASyncThatFails syncs a file descriptor that is not open.
func TestASyncThatFails(t *testing.T) {
	tls := libc.NewTLS()
	defer tls.Close()
	address := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(sqlite3.TunixFile{}))) // in C memory, because a goroutine's stack moves
	require.NotZero(t, address)
	defer libc.Xfree(tls, address)
	file := at[sqlite3.TunixFile](address)
	file.Fh = -1
	require.EqualValues(t, sqlite3.SQLITE_IOERR_FSYNC, syncFile(tls, address, sqlite3.SQLITE_SYNC_NORMAL))
	require.EqualValues(t, unix.EBADF, file.FlastErrno)
}

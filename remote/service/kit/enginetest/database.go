package enginetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

var count atomic.Int64

// Database creates a database with the newest schema and no records, and returns its address. It
// is dropped at the end of the test. Without PostgreSQL it skips the test.
func Database(t testing.TB) (url string) {
	t.Helper()
	return create(t, "TEMPLATE "+template)
}

// EmptyDatabase creates an empty database without a schema.
func EmptyDatabase(t testing.TB) (url string) {
	t.Helper()
	return create(t, "")
}

// MakeDatabase creates a database with options of CREATE DATABASE.
func MakeDatabase(t testing.TB, options string) (url string) {
	t.Helper()
	return create(t, options)
}

// GuardDatabase creates a user who needs a password, and returns the database's address with that user,
// and the password.
func GuardDatabase(t testing.TB, url string) (as, password string) {
	t.Helper()
	c, err := startCluster()
	if err != nil {
		t.Fatal(err)
	}
	c.do(t, `DROP ROLE IF EXISTS guarded`)
	c.do(t, `CREATE ROLE guarded LOGIN PASSWORD 'open sesame'`)
	return strings.Replace(url, "//paperfs@", "//guarded@", 1), "open sesame"
}

// CloseDatabase makes a database refuse all connections, including existing ones, until back is called.
func CloseDatabase(t testing.TB, url string) (back func()) {
	t.Helper()
	c, err := startCluster()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(path.Base(url[:strings.Index(url, "?")]), "/")
	c.do(t, `ALTER DATABASE `+name+` ALLOW_CONNECTIONS false`)
	c.do(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+name+`'`)
	return func() { c.do(t, `ALTER DATABASE `+name+` ALLOW_CONNECTIONS true`) }
}

// KillPostgres kills PostgreSQL with SIGKILL, for all databases of the program. It restarts by itself.
func KillPostgres(t testing.TB) {
	t.Helper()
	c, err := startCluster()
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // it may be about to start
		var first []byte
		if first, err = os.ReadFile(filepath.Join(c.Dir, "data", "postmaster.pid")); err == nil {
			line, _, _ := strings.Cut(string(first), "\n")
			var pid int
			if pid, err = strconv.Atoi(line); err == nil {
				err = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal(err)
}

// create creates a database with options.
func create(t testing.TB, options string) (url string) {
	t.Helper()
	c, err := startCluster()
	if errors.Is(err, temporary.ErrMissing) {
		testrun.Missing(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprint("test", count.Add(1))
	c.do(t, "CREATE DATABASE "+name+" "+options)
	t.Cleanup(func() { c.do(t, "DROP DATABASE "+name+" WITH (FORCE)") })
	return c.Address(name)
}

func (c *cluster) do(t testing.TB, statement string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.Address("postgres"))
	if err == nil {
		_, err = conn.Exec(ctx, statement)
		err = errors.Join(err, conn.Close(ctx))
	}
	if err != nil {
		t.Fatal(err)
	}
}

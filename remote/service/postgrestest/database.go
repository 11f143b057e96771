package postgrestest

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

	"paperfs/remote/service/temporary"
)

var count atomic.Int64

// Database makes a database with the newest schema and without records, and returns
// its address. It goes with the test. Without PostgreSQL the test is skipped.
func Database(t testing.TB) (url string) {
	t.Helper()
	return create(t, "TEMPLATE "+template)
}

// Empty makes a database without anything in it.
func Empty(t testing.TB) (url string) {
	t.Helper()
	return create(t, "")
}

// Made makes a database with options of CREATE DATABASE.
func Made(t testing.TB, options string) (url string) {
	t.Helper()
	return create(t, options)
}

// Guarded gives a database a user who needs a password, and returns the address with
// him, and the password.
func Guarded(t testing.TB, url string) (as, password string) {
	t.Helper()
	c, err := start()
	if err != nil {
		t.Fatal(err)
	}
	c.do(t, `DROP ROLE IF EXISTS guarded`)
	c.do(t, `CREATE ROLE guarded LOGIN PASSWORD 'open sesame'`)
	return strings.Replace(url, "//paperfs@", "//guarded@", 1), "open sesame"
}

// Away has a database refuse all connections, those that there are too, until back is
// called.
func Away(t testing.TB, url string) (back func()) {
	t.Helper()
	c, err := start()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(path.Base(url[:strings.Index(url, "?")]), "/")
	c.do(t, `ALTER DATABASE `+name+` ALLOW_CONNECTIONS false`)
	c.do(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+name+`'`)
	return func() { c.do(t, `ALTER DATABASE `+name+` ALLOW_CONNECTIONS true`) }
}

// Kill kills PostgreSQL as kill -9 does. It begins again by itself, for all databases of
// the program.
func Kill(t testing.TB) {
	t.Helper()
	c, err := start()
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // it may be about to begin
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

// create makes a database with these options.
func create(t testing.TB, options string) (url string) {
	t.Helper()
	c, err := start()
	if errors.Is(err, temporary.ErrMissing) && os.Getenv("PAPERFS_TEST_STRICT") != "1" {
		t.Skip(err)
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

package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

var errMissing = errors.New("PostgreSQL is not installed")

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

// create makes a database with these options.
func create(t testing.TB, options string) (url string) {
	t.Helper()
	c, err := start()
	if errors.Is(err, errMissing) && os.Getenv("PAPERFS_TEST_STRICT") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprint("test", count.Add(1))
	c.do(t, "CREATE DATABASE "+name+" "+options)
	t.Cleanup(func() { c.do(t, "DROP DATABASE "+name+" WITH (FORCE)") })
	return c.url(name)
}

func (c *cluster) do(t testing.TB, statement string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err == nil {
		_, err = conn.Exec(ctx, statement)
		err = errors.Join(err, conn.Close(ctx))
	}
	if err != nil {
		t.Fatal(err)
	}
}

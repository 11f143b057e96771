// Package postgrestest starts PostgreSQL for tests: one cluster for a test program,
// on a socket of its own, and a database for each test.
//
// A process watches the program and ends the cluster with it, however that ends.
package postgrestest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"paperfs/remote/service/postgresstore"
)

// cluster is a running PostgreSQL.
type cluster struct {
	dir   string              // of its socket
	alive *os.File            // it ends when this is closed
	who   *syscall.Credential // who runs it: it refuses root
}

// start starts the cluster of the program, once.
var start = sync.OnceValues(func() (*cluster, error) {
	programs, err := find()
	if err != nil {
		return nil, err
	}
	c := &cluster{}
	if os.Geteuid() == 0 {
		if c.who, err = postgres(); err != nil {
			return nil, err
		}
	}
	if c.dir, err = os.MkdirTemp("/tmp", "pg"); err != nil { // the path of a socket is short
		return nil, err
	}
	if c.who != nil {
		if err := os.Chown(c.dir, int(c.who.Uid), int(c.who.Gid)); err != nil {
			return nil, err
		}
	}
	if err := c.run(programs); err != nil {
		return nil, err
	}
	return c, c.template()
})

// find returns the directory of PostgreSQL's programs.
func find() (string, error) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(initdb), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // a valid pattern
	if len(found) == 0 {
		return "", errMissing
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

func version(initdb string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(initdb)))) // 0 for what is no number
	return n
}

func postgres() (*syscall.Credential, error) {
	who, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMissing, err)
	}
	uid, err := strconv.Atoi(who.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(who.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// script runs the cluster until nothing holds its standard input open any more, and
// again where it was killed. What a shell has run beside itself ignores SIGQUIT until it
// is PostgreSQL: where the input ends before that, it ends by itself, or hears of it
// later.
const script = `
cd "$2" || exit
{ "$1/initdb" -D data -U paperfs -A trust -E UTF8 --locale=C.UTF-8 --no-sync > log 2>&1 && test ! -e over &&
sed -i '1i local all guarded scram-sha-256' data/pg_hba.conf &&
while test ! -e over; do
	"$1/postgres" -D data -c listen_addresses= -c unix_socket_directories="$2" -c max_connections=400 -c shared_buffers=32MB \
	-c fsync=off -c full_page_writes=off -c autovacuum_naptime=10 >> log 2>&1 < /dev/null
	sleep 0.1
done; } &
cat
: > over
while kill -0 $! 2> /dev/null; do
	p=$(sed -n 1p data/postmaster.pid 2> /dev/null) && grep -qsx postgres "/proc/$p/comm" && kill -QUIT "$p" 2> /dev/null
	sleep 0.1
done
wait
cd /
rm -rf "$2"
`

func (c *cluster) run(programs string) error {
	in, alive, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	c.alive = alive
	watcher := exec.Command("/bin/sh", "-c", script, "sh", programs, c.dir)
	watcher.Dir = "/"
	watcher.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
	watcher.Stdin = in
	watcher.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: c.who}
	return watcher.Start()
}

// url is the address of a database.
func (c *cluster) url(database string) string {
	return fmt.Sprintf("postgres://paperfs@/%s?host=%s", database, c.dir)
}

const template = "records"

// template makes the database that those of tests are copies of.
func (c *cluster) template() error {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	var conn *pgx.Conn
	for {
		var err error
		if conn, err = pgx.Connect(ctx, c.url("postgres")); err == nil {
			break
		}
		if ctx.Err() != nil {
			log, _ := os.ReadFile(filepath.Join(c.dir, "log")) // it may say why
			return fmt.Errorf("PostgreSQL does not start: %w\n%s", err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+template); err != nil {
		return err
	}
	return postgresstore.Migrate(ctx, c.url(template))
}

package temporary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Postgres is a running PostgreSQL with the user paperfs. It is reachable only through a socket.
type Postgres struct {
	Dir     string              // contains its socket, its log, and data
	alive   *os.File            // PostgreSQL ends when this is closed
	who     *syscall.Credential // the user that runs it, since it refuses root
	watcher *exec.Cmd
}

// StartPostgres starts PostgreSQL with settings NAME=VALUE. It may take some seconds until
// PostgreSQL answers.
func StartPostgres(settings ...string) (*Postgres, error) {
	programs, err := findPostgres()
	if err != nil {
		return nil, err
	}
	p := &Postgres{}
	if os.Geteuid() == 0 {
		if p.who, err = postgresUser(); err != nil {
			return nil, err
		}
	}
	if p.Dir, err = os.MkdirTemp("/tmp", "pg"); err != nil { // socket paths must be short
		return nil, err
	}
	if p.who != nil {
		err = os.Chown(p.Dir, int(p.who.Uid), int(p.who.Gid))
	}
	if err == nil {
		err = p.run(programs, settings)
	}
	if err != nil {
		_ = os.RemoveAll(p.Dir)
		return nil, err
	}
	return p, nil
}

// findPostgres returns the directory of PostgreSQL's programs.
func findPostgres() (string, error) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(initdb), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // a valid pattern
	if len(found) == 0 {
		return "", fmt.Errorf("PostgreSQL is %w", ErrMissing)
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

func version(initdb string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(initdb)))) // 0 if not a number
	return n
}

func postgresUser() (*syscall.Credential, error) {
	who, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL is %w: %w", ErrMissing, err)
	}
	uid, err := strconv.Atoi(who.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(who.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// runPostgres runs the cluster until its standard input closes, and restarts it if it was killed.
// Background processes of a shell ignore SIGQUIT until they exec PostgreSQL: if the input closes
// before that, PostgreSQL ends by itself or gets the signal later. The user guarded, if it
// exists, needs a password.
const runPostgres = `
programs=$1; dir=$2; shift 2
cd "$dir" || exit
{ "$programs/initdb" -D data -U paperfs -A trust -E UTF8 --locale=C.UTF-8 --no-sync > log 2>&1 && test ! -e over &&
sed -i '1i local all guarded scram-sha-256' data/pg_hba.conf &&
while test ! -e over; do
	"$programs/postgres" -D data -c listen_addresses= -c unix_socket_directories="$dir" "$@" >> log 2>&1 < /dev/null
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
rm -rf "$dir"
`

func (p *Postgres) run(programs string, settings []string) error {
	in, alive, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	p.alive = alive
	p.watcher = exec.Command("/bin/sh", "-c", runPostgres, "sh", programs, p.Dir)
	for _, s := range settings {
		p.watcher.Args = append(p.watcher.Args, "-c", s)
	}
	p.watcher.Dir = "/"
	p.watcher.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
	p.watcher.Stdin = in
	p.watcher.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: p.who}
	return p.watcher.Start()
}

// Address returns the address of a database.
func (p *Postgres) Address(database string) string {
	return fmt.Sprintf("postgres://paperfs@/%s?host=%s", database, p.Dir)
}

// Connect connects to a database as soon as PostgreSQL answers.
func (p *Postgres) Connect(ctx context.Context, database string) (*pgx.Conn, error) {
	for {
		conn, err := pgx.Connect(ctx, p.Address(database))
		if err == nil {
			return conn, nil
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) { // it may still start
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("PostgreSQL does not start: %w\n%s", err, p.log()) // the log may say why
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// log returns what PostgreSQL logged so far.
func (p *Postgres) log() string {
	text, _ := os.ReadFile(filepath.Join(p.Dir, "log")) // no log yet
	return string(text)
}

// Close stops PostgreSQL and removes its directory.
func (p *Postgres) Close() error {
	_ = p.alive.Close()
	return p.watcher.Wait()
}

package media_test

import (
	"bufio"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/fs/mountpoint"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// journalModes are SQLite's ways to record a transaction.
var journalModes = []string{"delete", "truncate", "persist", "wal"}

// fewModes are SQLite's default and the one that differs most from it, or all in a run that has time
// for everything.
func fewModes() []string {
	if testrun.All() {
		return journalModes
	}
	return []string{"delete", "wal"}
}

// databases writes a program whose functions are these tests' steps on x.db. Each transaction leaves
// the same value in all rows.
const databases = `cat > ../db.py <<'END'
import os, signal, sqlite3, sys

def db(mode):
    c = sqlite3.connect("x.db", isolation_level=None, timeout=30)
    assert c.execute("pragma journal_mode=" + mode).fetchone() == (mode,)
    c.execute("pragma cache_size=5")
    return c

def change(c, value):
    c.execute("update t set v = ?", (str(value) * 60,))

def make(mode):
    c = db(mode)
    c.execute("create table t(k integer primary key, v text)")
    c.execute("begin")
    c.executemany("insert into t values(?, ?)", [(i, "0" * 60) for i in range(800)])
    c.execute("commit")
    c.close()

def commit(mode, value):
    c = db(mode)
    change(c, value)
    c.close()

def half(mode, committed):
    c = db(mode)
    if committed:
        change(c, committed)
    c.execute("begin")
    change(c, 9)
    return c

def killed(mode, committed):
    c = half(mode, committed)
    os.kill(os.getpid(), signal.SIGKILL)

def waiting(mode, committed):
    c = half(mode, committed)
    print("half", flush=True)
    sys.stdin.read()

def opened(mode, _):
    c = db(mode)
    if mode == "wal":
        c.execute("update t set v = 8 where k = 1")
    c.execute("begin")
    c.execute("update t set v = 9 where k = 1")
    print("opened", flush=True)
    sys.stdin.read()
    c.execute("commit")
    c.close()

def show(*_):
    c = sqlite3.connect("x.db")
    values = c.execute("select distinct substr(v, 1, 1) from t").fetchall()
    print(c.execute("pragma integrity_check").fetchone()[0], *[v for v, in values])

globals()[sys.argv[1]](*sys.argv[2:])
END
db() { python3 ../db.py "$@"; }
`

// database creates x.db in a journal mode, and waits until it is on the service.
func (m *mount) database(mode string) {
	m.t.Helper()
	m.sh(databases + `set -e; db make ` + mode)
	m.idle()
}

// db runs the program of databases.
func (m *mount) db(args string) string {
	m.t.Helper()
	return m.sh("set -e; python3 ../db.py " + args)
}

// failedNames returns the names in failed/.
func (m *mount) failedNames() (names []string) {
	for _, e := range m.store.Failed() {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return names
}

// TestADatabaseIsPublishedWithoutItsJournal checks that SQLite's files next to the database stay on
// this machine, and that each close by a program that has changed the database costs one upload.
func TestADatabaseIsPublishedWithoutItsJournal(t *testing.T) {
	t.Parallel()
	for _, mode := range fewModes() {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(databases + "ls")
			require.Equal(t, ops(upload), m.cost(`set -e; python3 ../db.py make `+mode))
			for _, value := range []string{"1", "2", "3"} {
				require.Equal(t, ops(upload), m.cost(`set -e; python3 ../db.py commit `+mode+` `+value))
			}
			require.Empty(t, m.cost(`set -e; test "$(python3 ../db.py show)" = "ok 3"`))
			require.Equal(t, ops(upload), m.cost(`set -e; python3 -c '
import sqlite3
c = sqlite3.connect("x.db", isolation_level=None); c.execute("delete from t where k > 100"); c.execute("vacuum"); c.close()'`))
			require.Equal(t, ops(upload), m.cost(`set -e; python3 -c '
import sqlite3
to = sqlite3.connect("y.db"); sqlite3.connect("x.db").backup(to); to.close()
assert sqlite3.connect("y.db").execute("select count(*) from t").fetchone() == (101,)'`))
			m.cost(`set -e; python3 - <<'END'
import sqlite3, subprocess, sys
add = """
import sqlite3
c = sqlite3.connect("x.db", isolation_level=None, timeout=100)
for i in range(10): c.execute("insert into t(v) values (3)")
c.close()"""
writers = [subprocess.Popen([sys.executable, "-c", add]) for _ in range(3)]
assert [w.wait() for w in writers] == [0, 0, 0]
c = sqlite3.connect("x.db")
assert c.execute("select count(*) from t").fetchone() == (131,)
assert c.execute("pragma integrity_check").fetchone() == ("ok",)
END`)
			files := m.atService()
			require.Len(t, files, 2, "x.db and y.db")
			require.Equal(t, files["x.db"], m.sh(`sha256sum < x.db | cut -d ' ' -f 1`))
			require.Empty(t, m.store.Failed())
		})
	}
}

// TestTheFilesBesideADatabaseAreTold checks that, while a program has the database open, SQLite's
// files next to it are listed among the files that stay on this machine. A file with such a name
// that is already on the service is published.
func TestTheFilesBesideADatabaseAreTold(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo one > a-wal; echo one > a`)
	require.Equal(t, ops(upload), m.cost(`echo two > a-wal`))
	m.database("wal")
	_, kill := m.startTransaction("waiting wal 1")
	defer kill()
	var names []string
	for _, l := range m.store.LocalNames() {
		names = append(names, l.Path)
	}
	require.Equal(t, []string{"x.db-shm", "x.db-wal"}, names)
}

// startTransaction starts a program that begins a transaction and waits. end lets it finish, and kill kills it.
func (m *mount) startTransaction(args string) (end, kill func()) {
	m.t.Helper()
	program := m.command(`cd media && exec python3 ../db.py ` + args)
	out, err := program.StdoutPipe()
	require.NoError(m.t, err)
	in, err := program.StdinPipe()
	require.NoError(m.t, err)
	require.NoError(m.t, program.Start())
	require.True(m.t, bufio.NewScanner(out).Scan())
	return func() {
			_ = in.Close()
			_ = program.Wait()
		}, func() {
			_ = program.Process.Kill()
			_ = program.Wait()
		}
}

// checkDatabase checks that x.db is intact in one of these states, and can be changed.
func (m *mount) checkDatabase(mode string, states ...string) {
	m.t.Helper()
	require.Contains(m.t, states, m.db(`show`))
	m.db(`commit ` + mode + ` 7`)
	require.Equal(m.t, "ok 7", m.db(`show`))
	require.Equal(m.t, m.atService()["x.db"], m.sh(`sha256sum < x.db | cut -d ' ' -f 1`))
}

// TestAKilledWriterLeavesADatabaseWhole checks that the mount shows the last published database
// without the journal of a newer version. The newer version is in failed/ with its journal, unless
// it had no writes since the publication.
func TestAKilledWriterLeavesADatabaseWhole(t *testing.T) {
	t.Parallel()
	for _, mode := range fewModes() {
		for _, committed := range []string{"", "4"} {
			if !testrun.OneWay(mode, committed != "") {
				continue
			}
			t.Run(mode+" "+committed, func(t *testing.T) {
				t.Parallel()
				m := newMount(t)
				m.database(mode)
				m.db(`commit ` + mode + ` 3`)
				m.idle()
				m.sh(`python3 ../db.py killed ` + mode + ` '` + committed + `' || test $? = 137`)
				m.settled()
				if mode == "wal" && committed != "" {
					m.checkDatabase(mode, "ok 3", "ok 4")
					return
				}
				m.checkDatabase(mode, "ok 3")
			})
		}
	}
}

// TestAKilledWriterTakesTheJournalOfADatabaseAway checks that the journal moves to failed/ with the
// database, and that the mount shows the older content without a journal.
func TestAKilledWriterTakesTheJournalOfADatabaseAway(t *testing.T) {
	t.Parallel()
	for mode, beside := range map[string][]string{"delete": {"x.db-journal"}, "persist": {"x.db-journal"}, "wal": {"x.db-shm", "x.db-wal"}} {
		t.Run(mode, func(t *testing.T) {
			if !slices.Contains(fewModes(), mode) {
				testrun.Long(t, "tries another of SQLite's journals")
			}
			t.Parallel()
			m := newMount(t)
			m.database(mode)
			m.db(`commit ` + mode + ` 3`)
			m.sh(`set -e; python3 -c '
import os, signal, sys
sys.argv = ["", "half", "` + mode + `", "4"]
exec(open("../db.py").read().replace("globals()[", "c = globals()["))
if "` + mode + `" == "wal":
    c.execute("rollback"); c.execute("pragma wal_checkpoint(restart)"); c.execute("begin"); change(c, 9)
os.kill(os.getpid(), signal.SIGKILL)' || test $? = 137`)
			m.eventually(func() bool { return len(m.store.Failed()) == 1+len(beside) })
			require.Equal(t, append([]string{"x.db"}, beside...), m.failedNames())
			require.Equal(t, "x.db", m.sh(`ls`))
			m.checkDatabase(mode, "ok 3")
			for _, e := range m.store.Failed() {
				if e.Name != "x.db" {
					require.Contains(t, e.Reason, "its database")
				}
			}
		})
	}
}

// TestAKilledMountLeavesADatabaseWhole kills the mount while a program is in a transaction.
func TestAKilledMountLeavesADatabaseWhole(t *testing.T) {
	t.Parallel()
	for _, mode := range fewModes() {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			fixture := servicetest.Start(t)
			m := newMountOn(t, fixture)
			m.database(mode)
			m.db(`commit ` + mode + ` 3`)
			m.stop()
			child := m.startChild(fixture, "")
			_, kill := m.startTransaction("waiting " + mode + " 4")
			require.NoError(t, child.Process.Kill())
			_ = mountpoint.Detach(m.dir)
			_ = child.Wait()
			kill()
			m.start()
			if mode != "wal" { // the log has the committed data, and x.db was not written
				require.Subset(t, m.failedNames(), []string{"x.db", "x.db-journal"})
			}
			m.checkDatabase(mode, map[string]string{"wal": "ok 4"}[mode], "ok 3")
		})
	}
}

// TestARefusedDatabase checks that the mount shows the last published database, without a journal.
func TestARefusedDatabase(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*media.Options){"direct": nil, "write-back": {writeBack}} {
		for _, mode := range fewModes() {
			if !testrun.OneWay(mode, name == "direct") {
				continue
			}
			t.Run(mode+", "+name, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.database(mode)
				m.refuse()
				m.db(`commit ` + mode + ` 5`)
				m.eventually(func() bool { return slices.Contains(m.failedNames(), "x.db") })
				m.proxy.Heal()
				require.Equal(t, "x.db", m.sh(`ls`))
				m.checkDatabase(mode, "ok 0")
			})
		}
	}
}

// TestAColleagueReplacesADatabase checks that the journal of the old database does not affect the
// new one.
func TestAColleagueReplacesADatabase(t *testing.T) {
	t.Parallel()
	for _, mode := range fewModes() {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.database(mode)
			theirs := strings.Repeat("another file\n", 1000)
			m.db(`commit ` + mode + ` 3`)
			m.idle()
			end, _ := m.startTransaction("opened " + mode + " x")
			_, err := m.client.UploadFile(t.Context(), 0, "x.db", bytesContent(theirs))
			require.NoError(t, err)
			require.NoError(t, m.store.Refresh(t.Context()))
			require.Equal(t, "x.db "+sum(theirs), m.sh(`echo $(ls) $(sha256sum < x.db | cut -d ' ' -f 1)`))
			end()
			m.settled()
			require.Equal(t, map[string]string{"x.db": sum(theirs)}, m.atService())
			require.Equal(t, "x.db "+sum(theirs), m.sh(`echo $(ls) $(sha256sum < x.db | cut -d ' ' -f 1)`))
		})
	}
}

// TestACommitToSeveralDatabases checks that the databases are published, but not the super-journal
// with which SQLite commits to all of them.
func TestACommitToSeveralDatabases(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"delete", "truncate", "persist"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`python3 -c '
import sqlite3
c = sqlite3.connect("x.db", isolation_level=None)
c.execute("attach database \"y.db\" as y")
for name in "main", "y":
    assert c.execute("pragma " + name + ".journal_mode=` + mode + `").fetchone() == ("` + mode + `",)
    c.execute("create table " + name + ".t(v text)")
for i in range(3):
    c.execute("begin")
    c.execute("insert into main.t values (1)")
    c.execute("insert into y.t values (1)")
    c.execute("commit")
c.close()
for name in "x.db", "y.db":
    assert sqlite3.connect(name).execute("select count(*) from t").fetchone() == (3,)'`)
			files := m.atService()
			require.Len(t, files, 2)
			require.Contains(t, files, "x.db")
			require.Contains(t, files, "y.db")
		})
	}
}

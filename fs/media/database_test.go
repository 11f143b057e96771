package media_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// killedDatabase commits 2000 rows and closes; then a second process of SQLite
// commits 3000 more, begins to change them, and is killed.
const killedDatabase = `python3 -c '
import os, signal, sqlite3
c = sqlite3.connect("x.db", isolation_level=None)
c.execute("pragma journal_mode=MODE")
c.execute("create table t(k integer primary key, v text)")
c.execute("create index i on t(v)")
c.execute("begin")
c.executemany("insert into t values(?, ?)", [(i, "base%d" % i) for i in range(2000)])
c.execute("commit")
c.close()
c = sqlite3.connect("x.db", isolation_level=None)
c.execute("pragma cache_size=5")
c.execute("begin")
c.execute("update t set v = k || hex(randomblob(30))")
c.executemany("insert into t values(?, ?)", [(10000 + i, "n%d" % i) for i in range(3000)])
c.execute("commit")
if "MODE" == "wal":
    c.execute("pragma wal_checkpoint(restart)")
c.execute("begin")
c.execute("update t set v = k where k between 300 and 900")
os.kill(os.getpid(), signal.SIGKILL)'; test $? = 137`

// TestAKilledWriterLeavesADatabaseWhole: what is shown is the database as it was
// published last, and no journal of a newer one stays beside it. The newer one is
// in failed/, with its journal.
func TestAKilledWriterLeavesADatabaseWhole(t *testing.T) {
	for mode, beside := range map[string][]string{"delete": {"x.db-journal"}, "wal": {"x.db-shm", "x.db-wal"}} {
		t.Run(mode, func(t *testing.T) {
			m := newMount(t, deleting)
			m.sh(strings.ReplaceAll(killedDatabase, "MODE", mode))
			var failed []string
			m.eventually(func() bool {
				failed = nil
				for _, e := range m.store.Failed() {
					failed = append(failed, e.Name)
				}
				return len(failed) == 1+len(beside)
			})
			slices.Sort(failed)
			require.Equal(t, append([]string{"x.db"}, beside...), failed)
			require.Equal(t, "ok 2000", m.sh(`test "$(ls)" = x.db; python3 -c '
import sqlite3
c = sqlite3.connect("x.db")
print(c.execute("pragma integrity_check").fetchone()[0], c.execute("select count(*) from t").fetchone()[0])'`))
		})
	}
}

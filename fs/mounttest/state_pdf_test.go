package mounttest

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"paperfs/remote/testrun"
)

// database opens the database of the mount's state.
func (m *mounted) database() *sql.DB {
	m.t.Helper()
	found := testrun.Must(filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "state.db")))(m.t)
	require.Len(m.t, found, 1)
	db := testrun.Must(sql.Open("sqlite", "file:"+found[0]+"?_pragma=busy_timeout(10000)"))(m.t)
	m.t.Cleanup(func() { db.Close() })
	return db
}

// TestAPDFWhoseSizeCannotBeRead checks that, if the state cannot be read, no program sees the PDF
// as empty, and the reason is reported.
func TestAPDFWhoseSizeCannotBeRead(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.drops(t)
	m.sh(`cd papers/C; cp "$HOME/two.pdf" X.pdf; "$PAPERFS" wait X.paper`)
	db := m.database()
	rename := func(from, to string) {
		testrun.Must(db.Exec("ALTER TABLE " + from + " RENAME TO " + to))(t)
	}
	m.put("update.py", []byte(`import os, time
home = os.environ["HOME"]
f = os.open("papers/C/X.pdf", os.O_RDWR)
open(home + "/opened", "w").close()
while not os.path.exists(home + "/broken"):
    time.sleep(0.01)
try:
    print("size", os.fstat(f).st_size)
except OSError as e:
    print(e.strerror)
`))
	rename("source", "other")
	out := m.fails(`tar cf "$HOME/x.tar" -C papers/C/X.paper source.pdf`)
	assert.Contains(t, out, "Input/output error")
	assert.Contains(t, m.fails(`stat papers/C/X.pdf`), "Input/output error")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.pdf`), "no such table")
	rename("other", "source")
	// A program that has it open for update does not see an empty file.
	ended := make(chan string, 1)
	go func() {
		out, _ := m.run("bash", `python3 "$HOME/update.py"`)
		ended <- out
	}()
	m.eventually(`test -e "$HOME/opened"`)
	rename("source", "other")
	m.sh(`touch "$HOME/broken"`)
	assert.Equal(t, "size 1008\n", <-ended)
	rename("other", "source")
	m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf`)
}

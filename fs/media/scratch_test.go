package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestScratchIsPosix checks that a scratch directory supports what only a complete file system does,
// without a request.
func TestScratchIsPosix(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	for name, script := range map[string]string{
		"hard links": `echo one > a; ln a b; ln a d/c; test "$(stat -c %h a b d/c | sort -u)" = 3
			echo two >> b; test "$(cat d/c)" = $'one\ntwo'; test a -ef d/c
			rm a; test "$(stat -c %h b)" = 2; python3 -c 'import os; os.rename("b", "d/c")'; test -e b; echo x > new; mv new b; test "$(stat -c %h d/c)" = 1; test "$(cat d/c)" = $'one\ntwo'`,
		"a link to an open file": `python3 -c 'import os
f = os.open("a", os.O_RDWR | os.O_CREAT); os.write(f, b"x"); os.link("a", "b"); os.unlink("a"); assert os.fstat(f).st_nlink == 1
os.write(f, b"y"); assert open("b").read() == "xy"; os.unlink("b"); assert os.fstat(f).st_nlink == 0 and os.pread(f, 9, 0) == b"xy"'`,
		"links of links, no pipes": `ln -s x l; ln l m; test "$(readlink m)" = x; test "$(stat -c %h l)" = 2; ! mkfifo p 2> /dev/null; test ! -e p`,
		"a lock file by link":      `echo $$ > t; ln t lock; ! ln t lock 2> ~/said; grep -q exists ~/said; rm t lock`,
		"renames of directories":   `mkdir -p a/b; echo x > a/b/f; mv a c; test "$(cat c/b/f)" = x; mkdir e; mv -T c e; test "$(cat e/b/f)" = x; ! rmdir e`,
		"a removed directory":      `mkdir e; cd e; rmdir ../e; test "$(stat -c '%F %h' .)" = 'directory 0'; test -z "$(ls -A)"; ! touch x`,
		"sparse files":             `truncate -s 1G f; test "$(stat -c %s f)" = 1073741824; printf x | dd of=f bs=1 seek=1000000000 conv=notrunc status=none; test "$(stat -c %s f)" = 1073741824`,
		"permissions and times":    `umask 027; echo x > f; test "$(stat -c %a f)" = 640; chmod 4755 f; touch -d 2001-02-03T04:05:06.123456789 f; test "$(stat -c '%a %y' f | cut -c1-34)" = '4755 2001-02-03 04:05:06.123456789'`,
	} {
		t.Run(name, func(t *testing.T) {
			m := m.in(t)
			m.sh(`ls; mkdir -p .s/d`)
			require.Empty(t, m.cost("cd .s; set -e\n"+script))
			m.sh(`rm -r .s`)
			m.eventually(func() bool { return m.store.Status().SpoolBytes == 0 })
		})
	}
}

// TestScratchOutlastsTheMount checks that scratch files are unchanged after a remount.
func TestScratchOutlastsTheMount(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p .s/d; cd .s; echo one > a; ln a d/b; ln -s a l; mkdir -m 700 private; truncate -s 5 hole`)
	before := m.sh(`find .s -printf '%p %y %m %n %s %i %T@ %l\n' | sort`)
	m.remount()
	require.Equal(t, before, m.sh(`find .s -printf '%p %y %m %n %s %i %T@ %l\n' | sort`))
	require.Equal(t, "two", m.sh(`echo two > .s/d/b; cat .s/a`))
	require.Empty(t, m.atService())
}

// TestProgramsInScratch runs programs that need links, locks and mappings.
func TestProgramsInScratch(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"git": `export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example
			git init -q .repo; cd .repo; seq 1000 > f; git add f; git commit -qm one; seq 2000 > f; git commit -qam two; git gc -q; git fsck --strict
			cd ..; git clone -q .repo .clone; test -n "$(find .clone/.git/objects -type f -links 2)"; cmp .repo/f .clone/f; git -C .clone fsck --strict; git -C .clone status --porcelain | wc -l | grep -qx 0`,
		"sqlite": `cat > ../db.py <<'END'
import sqlite3, subprocess, sys
def db():
    d = sqlite3.connect(".db", timeout=30, isolation_level=None)
    assert d.execute("pragma journal_mode=wal").fetchone() == ("wal",)
    return d
if len(sys.argv) > 1:
    for _ in range(20):
        db().execute("update t set n = n + 1")
else:
    db().execute("create table t (n)")
    db().execute("insert into t values (0)")
    kept = db()
    writers = [subprocess.Popen([sys.executable, sys.argv[0], "write"]) for _ in range(3)]
    assert [w.wait() for w in writers] == [0, 0, 0]
    assert kept.execute("select n from t").fetchone() == (60,), kept.execute("select n from t").fetchone()
    assert kept.execute("pragma integrity_check").fetchone() == ("ok",)
END
			python3 ../db.py`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls`)
			require.Empty(t, m.cost("set -e\n"+script))
		})
	}
}

// locks takes a lock in one process, and tries to take it in another.
const locks = `
import fcntl, os, subprocess, sys
path = sys.argv[1]
f = open(path, "r+")
def refused(take):
    try:
        take(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
if len(sys.argv) > 2:
    sys.exit(3 * bool(refused(fcntl.flock)) + 5 * bool(refused(fcntl.lockf)))
other = lambda: subprocess.call([sys.executable, sys.argv[0], path, "other"])
fcntl.flock(f, fcntl.LOCK_EX)
assert other() == 3
fcntl.flock(f, fcntl.LOCK_UN)
fcntl.lockf(f, fcntl.LOCK_EX)
assert other() == 5
fcntl.lockf(f, fcntl.LOCK_UN)
assert other() == 0
`

// TestLocks checks file locks. The kernel handles them alone, which is correct because an account
// has only one mount.
func TestLocks(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo x > .scratch; echo x > published; ln .scratch .name; cat > ../locks.py <<'END'` + locks + `END`)
	for _, path := range []string{".scratch", "published"} {
		require.Empty(t, m.cost(`python3 ../locks.py `+path), path)
	}
	m.sh(`flock .scratch flock -n .name true && exit 1; flock .name true`)
}

// TestLeavingScratch checks that a file that is renamed out of scratch is published, but not while it
// has several hard links.
func TestLeavingScratch(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls; echo one > .a; ln .a .b; ls -l .a .b`)
	require.Contains(t, m.fails(`mv .a a`), "not supported")
	require.Equal(t, ops(upload), m.cost(`rm .b && mv .a a && test "$(stat -c %h a)" = 1 && test "$(cat a)" = one`))
	m.sh(`echo two > .b`)
	require.Contains(t, m.fails(`ln .b b`), "Operation not permitted")
	require.Contains(t, m.fails(`ln a .c`), "Operation not permitted")

	m.sh(`mkdir -p .work/d; echo one > .work/f; echo two > .work/d/g; echo mine > .work/.notes; ln -s f .work/l; ls -lR .work`)
	require.Contains(t, m.fails(`mv .work work`), "Operation not permitted")
	require.Equal(t, "one", m.sh(`cat .work/f`))
	require.ElementsMatch(t, ops("CreateDirectory", "CreateDirectory", upload, upload),
		m.cost(`rm .work/l && mv .work work && test ! -e .work && test "$(cat work/f work/d/g work/.notes)" = $'one\ntwo\nmine'`))
	require.Equal(t, map[string]string{"a": sum("one\n"), "work/f": sum("one\n"), "work/d/g": sum("two\n")}, m.atService())
	m.remount()
	require.Equal(t, "mine", m.sh(`cat work/.notes`))
	require.Empty(t, m.store.Failed())
}

// TestARenameThatUploadsHoldsUpItsOwnDirectoryAlone checks that other directories work during the
// upload. The kernel locks the directory of the rename.
func TestARenameThatUploadsHoldsUpItsOwnDirectoryAlone(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir d e; echo one > d/.x; echo two > e/f`)
	release := m.proxy.Freeze(remote.UploadFile)
	defer release()
	mv := m.command(`mv media/d/.x media/d/x`)
	require.NoError(t, mv.Start())
	m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) == 2 })
	require.Equal(t, "d\ne", m.sh(`ls`))
	require.Equal(t, "f two", m.sh(`echo $(ls e) $(cat e/f); echo more > .y; mv .y e/.y; ls -lR e > ../list`))
	release()
	require.NoError(t, mv.Wait())
	require.Equal(t, "one", m.sh(`cat d/x`))
}

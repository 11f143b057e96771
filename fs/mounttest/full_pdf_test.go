package mounttest

import (
	"database/sql"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestReplacingAQueuedPDFOnAFullDisk checks that the close fails too if there is no room for a new
// PDF while the old one is queued, that the old one is sent and stays readable here, and that the
// next writer starts from it.
func TestReplacingAQueuedPDFOnAFullDisk(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	for name, c := range map[string]struct{ open, fails string }{
		"O_TRUNC":  {`os.O_WRONLY | os.O_TRUNC`, "openat"}, // the new spool: nothing of the queued content is copied
		"in place": {`os.O_WRONLY`, "renameat"},            // the copy of the queued content for the write
	} {
		t.Run(name, func(t *testing.T) {
			m := newDrops(t, "--write-back")
			m.unavailable(remote.ProcessPDF)
			m.sh(`mkdir papers/C/X.paper; cp "$HOME/two.pdf" papers/C/X.pdf`)
			m.strace(func() {
				m.sh(`python3 -c '
import errno, os
def refused(call, *args):
    try:
        call(*args)
    except OSError as e:
        assert e.errno == errno.ENOSPC, e
    else:
        raise SystemExit(call.__name__ + " succeeded")
try:
    f = os.open("papers/C/X.pdf", ` + c.open + `)
except OSError as e:
    assert e.errno == errno.ENOSPC, e
    raise SystemExit
refused(os.write, f, b"%PDF-1.4")
refused(os.write, f, b" more")
refused(os.close, os.dup(f))
refused(os.close, f)'`)
			}, "-e", "trace="+c.fails, "-e", "inject="+c.fails+":error=ENOSPC")
			m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf`)
			m.proxy.Heal()
			m.sh(`"$PAPERFS" retry .; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; cmp "$HOME/two.pdf" papers/C/X.pdf
				test -z "$(ls .paperfs/failed)"; cat "$HOME/one.pdf" >> papers/C/X.pdf; cat "$HOME/two.pdf" "$HOME/one.pdf" | cmp - papers/C/X.pdf`)
		})
	}
}

// TestNoRoomInTheMiddleOfReplacingAQueuedPDF checks that the names show the queued PDF as soon as a close has
// failed, although the program that has failed still has it open, and that it is sent.
func TestNoRoomInTheMiddleOfReplacingAQueuedPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newDrops(t, "--write-back")
	m.unavailable(remote.ProcessPDF)
	m.put("writer.py", []byte(`import errno, os
f = os.open("papers/C/X.pdf", os.O_WRONLY | os.O_TRUNC)
def wait(): open(os.environ["HOME"] + "/go").read()
def refused(call, *args):
    try:
        call(*args)
    except OSError as e:
        print(call.__name__, errno.errorcode[e.errno], flush=True)
os.write(f, b"%PDF-1.4 begun")
print("begun", flush=True)
wait()
refused(os.write, f, b" more")
wait()
refused(os.close, os.dup(f))
wait()
refused(os.close, f)
print("ended", flush=True)
`))
	m.sh(`mkfifo "$HOME/go"; mkdir papers/C/X.paper; cp "$HOME/two.pdf" papers/C/X.pdf; python3 "$HOME/writer.py" > "$HOME/said" 2>&1 &
		until grep -q begun "$HOME/said"; do sleep 0.02; done`)
	m.strace(func() {
		m.sh(`: > "$HOME/go"`)
		m.eventually(`grep -q "write ENOSPC" "$HOME/said"`)
	}, "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC")
	m.sh(`head -c 9 papers/C/X.pdf | grep -q "^%PDF-1.4 $"; : > "$HOME/go"`) // as long as no close has told, programs share it
	m.eventually(`grep -q "close ENOSPC" "$HOME/said"`)
	for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
		require.Empty(t, m.sh(`cd papers/C; cmp "$HOME/two.pdf" `+name+`; test $(stat -c %s `+name+`) = $(stat -c %s "$HOME/two.pdf") || echo size`))
	}
	m.sh(`: > "$HOME/go"`)
	m.eventually(`grep -q ended "$HOME/said"`)
	m.eventually(`grep -q begun .paperfs/failed/X.pdf`)
	m.sh(`cmp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" discard papers/C/X.pdf`)
	m.proxy.Heal()
	taken := m.takePDFs()
	m.sh(`"$PAPERFS" retry .; "$PAPERFS" wait .; cmp "$HOME/two.pdf" papers/C/X.pdf; test -z "$(ls .paperfs/failed)"`)
	require.Equal(t, m.here("two.pdf"), taken())
}

// pid returns the process id of the mount.
func (m *mounted) pid() string { return strconv.Itoa(m.process.Process.Pid) }

// spool is the directory for files being written.
func (m *mounted) spool() string {
	m.t.Helper()
	found := testrun.Must(filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "spool")))(m.t)
	require.Len(m.t, found, 1)
	return found[0]
}

// TestFsyncOfAPDF checks that, when fsync returns, the content and its name in the spool are on the
// disk, or fsync fails.
func TestFsyncOfAPDF(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"fsync", "fdatasync"} {
		t.Run(call, func(t *testing.T) {
			m := newMount(t)
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.sh(`mkdir papers/X.paper papers/Y.paper`)
			dd := `dd if="$HOME/one.pdf" status=none conv=` + call
			synced := m.strace(func() { m.sh(dd + ` of=papers/X.paper/source.pdf`) }, "-y", "-e", "trace=fsync,fdatasync")
			assert.Regexp(t, `sync\(\d+<`+m.spool()+`/\d+>`, synced)
			assert.Regexp(t, `sync\(\d+<`+m.spool()+`>`, synced)

			m.strace(func() { assert.Contains(t, m.fails(dd+` of=papers/Y.paper/source.pdf`), "Input/output error") },
				"-P", m.spool(), "-e", "trace=fsync", "-e", "inject=fsync:error=EIO")
			assert.Regexp(t, `(?m)papers/Y.paper/source.pdf.*input/output error`, m.sh(`cat .paperfs/errors`))
		})
	}
}

// TestTheCloseBehindARefusedWriteOfAPDF checks that the close fails too, even if nothing was
// written before: a program that checks only its close must not believe that the PDF was sent.
func TestTheCloseBehindARefusedWriteOfAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	for _, flags := range [][]string{nil, {"--write-back"}} {
		m := newMount(t, flags...)
		m.put("one.pdf", pdfOf(t, 1, 0))
		m.put("write.py", []byte(`import os, sys
f = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
try: os.write(f, b"%PDF-")
except OSError as e: print("write:", e.strerror)
try: os.close(f)
except OSError as e: print("close:", e.strerror)
`))
		m.sh(`mkdir papers/C; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper`)
		logs := testrun.Must(filepath.Glob(filepath.Join(m.home, "state", "paperfs", "*", "state.db-wal")))(t)
		require.Len(t, logs, 1)
		m.proxy.Reset()
		m.strace(func() {
			for _, path := range []string{"New.pdf", "X.pdf", "X.paper/source.pdf", "X.paper/other.pdf"} {
				assert.Equal(t, "write: No space left on device\nclose: No space left on device", m.sh(`cd papers/C; python3 "$HOME/write.py" `+path), path)
			}
		}, "-P", logs[0], "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC")
		assert.Empty(t, m.asked())
		m.eventually(`cmp "$HOME/one.pdf" papers/C/X.pdf 2> /dev/null`) // the release comes after the close
		m.sh(`test "$(ls papers/C)" = X.paper; test -z "$(ls .paperfs/failed)"; cp "$HOME/one.pdf" papers/C/New.pdf`)
	}
}

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
	m := newDrops(t)
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

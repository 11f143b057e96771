package mounttest

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

func TestAnInterruptEndsAWaitingReaderAndNobodyElse(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls papers/A`)
	release := m.proxy.Freeze(remote.GetPaperStructure)
	other := make(chan string)
	go func() {
		out, _ := m.run("bash", `cat papers/A/X.paper/structure.xml`)
		other <- out
	}()
	m.waitForRequest(remote.GetPaperStructure)
	for _, signal := range []string{"INT", "TERM", "KILL"} {
		// A non-interactive shell starts background jobs with SIGINT ignored.
		m.sh(`python3 -c 'import signal, os; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execlp("cat", "cat", "papers/A/X.paper/structure.xml")' & p=$!
			` + waiting + `
			kill -` + signal + ` $p; ! wait $p`)
	}
	release()
	assert.Contains(t, <-other, "<paper ")
	assert.Equal(t, 1, m.proxy.Count(remote.GetPaperStructure))
}

// waiting is a script that waits until process $p waits for the mount's answer to a request of a frozen service.
const waiting = `until grep -q cat /proc/$p/comm && grep -q request_wait_answer /proc/$p/wchan; do read -rt 0.02 <> <(:) || :; done`

// killed runs a command in the mount and kills it when it waits for a frozen operation.
func (m *mounted) killed(signal, command string, op *remote.Operation) {
	m.t.Helper()
	done := make(chan error)
	go func() {
		_, err := m.run("bash", command+` & echo $! > "$HOME/pid"; wait $!`)
		done <- err
	}()
	m.waitForRequest(op)
	m.eventually(`test -s "$HOME/pid"`)
	m.sh(`kill -` + signal + ` $(cat "$HOME/pid"); rm "$HOME/pid"`)
	assert.Error(m.t, <-done)
}

func TestAChangeGoesOnWhenItsCallerIsKilled(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls papers`)
	release := m.proxy.Freeze(remote.CreateCategory)
	m.killed("KILL", `mkdir papers/A`, remote.CreateCategory)
	release()
	m.eventually(`test -d papers/A`)
	assert.Equal(t, 1, m.proxy.Count(remote.CreateCategory))
}

// TestAnInterruptedRsyncPublishesNoPart checks that the previous content stays, although rsync
// renames its partial file to the final name with -P, and closes the partial file with --inplace.
func TestAnInterruptedRsyncPublishesNoPart(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("Spring.pdf", append(pdfOf(t, 2, 0), make([]byte, 32<<20)...))
	m.put("old.pdf", pdfOf(t, 3, 0))
	written := `find "` + m.spool() + `" -size +16k | grep -q .`
	for _, flags := range []string{"-aP", "-P", "-a --inplace"} {
		for _, to := range []string{"media/new", "media/old", "papers/New", "papers/Old"} {
			if !testrun.OneWay(flags, strings.HasSuffix(to, "/new") || to == "papers/Old") {
				continue
			}
			m.sh(`mkdir -p ` + to)
			before := ""
			if to == "media/old" || to == "papers/Old" {
				before = m.sh(`rm -f .paperfs/failed/*; test -e ` + to + `/Spring.pdf || cp "$HOME/old.pdf" ` + to + `/Spring.pdf; "$PAPERFS" wait . > /dev/null 2>&1 && sha256sum < ` + to + `/Spring.pdf`)
			}
			m.proxy.Reset()
			m.interrupt("exec rsync --bwlimit=2000 --whole-file "+flags+` "$HOME/Spring.pdf" `+to, written)
			for _, op := range m.asked() {
				assert.NotContains(t, []string{remote.UploadFile.Name, remote.CreatePaper.Name, remote.ProcessPDF.Name}, op, "%s %s", flags, to)
			}
			if before != "" {
				m.eventually(`test "$(sha256sum < ` + to + `/Spring.pdf)" = "` + before + `"`)
			}
		}
	}
}

// TestAnInterruptedRsyncGoesOn checks that rsync continues from the file that --partial-dir has
// kept locally.
func TestAnInterruptedRsyncGoesOn(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("Spring.pdf", append(pdfOf(t, 2, 0), make([]byte, 32<<20)...))
	m.interrupt(`exec rsync --bwlimit=2000 --whole-file -aP --partial-dir=.part "$HOME/Spring.pdf" media/`, `find "`+m.spool()+`" -size +16k | grep -q .`)
	m.sh(`test -s media/.part/Spring.pdf && rsync -aP --partial-dir=.part "$HOME/Spring.pdf" media/ && cmp "$HOME/Spring.pdf" media/Spring.pdf`)
}

// interrupt runs a script, interrupts it once the condition holds, and waits for all of its processes.
func (m *mounted) interrupt(script, once string) {
	m.t.Helper()
	cmd := programtest.Command(m.t, testrun.Patience(), "sh", "-c", script)
	cmd.Dir, cmd.Env = m.dir, m.environment()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out // so Wait waits for the receiver, too, which ends later
	require.NoError(m.t, cmd.Start())
	m.eventually(once)
	require.NoError(m.t, cmd.Process.Signal(os.Interrupt))
	require.Error(m.t, cmd.Wait(), "the interrupted program must fail")
}

// earlyWriter writes half of a large file, waits for the test, does what its argument says, and closes the file.
const earlyWriter = `python3 -c '
import os, sys
f = open(sys.argv[1], "wb", buffering=0)
data = open(os.environ["HOME"] + "/large", "rb").read()
f.write(data[:20 << 20])
open(os.environ["HOME"] + "/go").read()
exec(sys.argv[2])
os.close(f.fileno())' media/large.bin '`

// TestAnUploadBeginsWhileTheFileIsWritten checks that a large file that is written in order costs one request, which begins while a
// program writes the file and has no effect before the close. Whatever makes it vain costs one request more, and nothing else.
func TestAnUploadBeginsWhileTheFileIsWritten(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t, "--allow-delete")
	m.sh(`ls media; dd if=/dev/urandom of="$HOME/large" bs=1M count=30 status=none; mkfifo "$HOME/go"`)
	require.EqualValues(t, 30<<20, testrun.Must(os.Stat(m.home+"/large"))(t).Size(), "it is large")
	const rest, same = `f.write(data[20 << 20:])`, `cmp "$HOME/large" media/large.bin`
	cut := func() { m.proxy.CutRequest(remote.UploadFile, 1, 1<<20) }
	colleague := func() {
		testrun.Must(m.client().UploadFile(t.Context(), 0, "large.bin", bytesOf("theirs\n")))(t)
	}
	for _, c := range []struct {
		what, then    string
		before, while func()
		most          int    // requests
		fails         string // what the program says
		after         string
	}{
		{what: "in order", then: rest, most: 1, after: same},
		{what: "replaced", then: rest, most: 1, after: same},
		{what: "a seek back", then: rest + `; f.seek(0); f.write(b"HEAD")`, most: 2, after: `{ printf HEAD; tail -c +5 "$HOME/large"; } | cmp - media/large.bin`},
		{what: "a truncation", then: `f.truncate(5)`, most: 2, after: `head -c 5 "$HOME/large" | cmp - media/large.bin`},
		{what: "a connection that breaks", then: rest, before: cut, most: 2, after: same},
		{what: "a rename", then: rest, while: func() { m.sh(`mv media/large.bin media/other.bin`) }, most: 2, after: `cmp "$HOME/large" media/other.bin; rm media/other.bin; test ! -e media/large.bin`},
		{what: "a removal", then: rest, while: func() { m.sh(`rm media/large.bin`) }, most: 1, after: `test ! -e media/large.bin`},
		{what: "a rename of a new file", then: rest, while: func() { m.sh(`mv media/large.bin media/other.bin`) }, most: 2, after: `cmp "$HOME/large" media/other.bin; rm media/other.bin; test ! -e media/large.bin`},
		{what: "a kill", then: `os.kill(os.getpid(), 9)`, most: 1, fails: "-", after: `test ! -e media/large.bin; cmp <(head -c 20M "$HOME/large") .paperfs/failed/large.bin; rm .paperfs/failed/large.bin`},
		{what: "a colleague", then: rest, while: colleague, most: 2, fails: "Stale file handle", after: `grep -qx theirs media/large.bin; cmp "$HOME/large" .paperfs/failed/large.bin; rm .paperfs/failed/large.bin`},
	} {
		if slices.Contains([]string{"replaced", "a truncation", "a connection that breaks"}, c.what) && !testrun.All() {
			continue // like others, or as package remote tests it
		}
		m.proxy.Reset()
		if c.before != nil {
			c.before()
		}
		done := make(chan string)
		go func() {
			out, err := m.run("bash", "set -e; "+earlyWriter+c.then+"' 2>&1")
			if err != nil {
				out += "-"
			}
			done <- out
		}()
		m.waitForRequest(remote.UploadFile)
		if c.while != nil {
			c.while()
		}
		m.sh(`: > "$HOME/go"`)
		out := <-done
		assert.Equal(t, c.fails != "", strings.HasSuffix(out, "-"), "%s: %s", c.what, out)
		assert.Contains(t, out, c.fails, c.what)
		assert.LessOrEqual(t, m.proxy.Count(remote.UploadFile), c.most, c.what)
		m.sh(`"$PAPERFS" refresh .; set -e; ` + c.after)
	}
	m.remount("--allow-delete")
	m.sh(`set -e; test -z "$(ls .paperfs/failed)"; grep -qx theirs media/large.bin`)
}

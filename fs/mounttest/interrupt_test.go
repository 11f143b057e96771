package mounttest

import (
	"bytes"
	"os"
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

func TestAnInterruptedUploadIsFinishedBehind(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls media; echo content > "$HOME/f"`)
	release := m.proxy.Freeze(remote.UploadFile)
	m.killed("TERM", `cp "$HOME/f" media/f`, remote.UploadFile)
	release()
	m.eventually(`grep -q '"writing": 0' .paperfs/status && grep -q '"idle": true' .paperfs/status && cmp "$HOME/f" media/f`)
	assert.Equal(t, map[string]string{"f": sum("content\n")}, m.atService())
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

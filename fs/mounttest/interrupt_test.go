package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
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

package fs_test

import (
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// A retry that is under way has the content that it began with, although a newer
// attempt at the same path fails while it runs: that is what stays in failed/.
func TestARetryAdoptsItsOwnContent(t *testing.T) {
	m := newMount(t)
	m.sh(`mkdir media/d`) // the kernel holds the directories of a rename that is under way
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`echo older > "$HOME/f" && cp "$HOME/f" media/f`)
	m.eventually(`test -e .paperfs/failed/f`)
	m.proxy.Heal()

	arrived, pass, first := make(chan struct{}), make(chan struct{}), new(sync.Once)
	m.proxy.Answer(remote.UploadFile, func(w http.ResponseWriter, r *http.Request) bool {
		retried := false
		first.Do(func() { retried = true })
		if retried {
			close(arrived)
			<-pass
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `<result><code>ERROR</code><message>No room.</message></result>`)
		return true
	})
	retried := make(chan string)
	go func() {
		out, err := m.run("bash", `mv .paperfs/failed/f media/d/g`)
		if err != nil {
			out += err.Error()
		}
		retried <- out
	}()
	<-arrived
	m.fails(`echo newer content > "$HOME/f" && cp "$HOME/f" media/f`)
	m.eventually(`grep -q '"f" 14 bytes' .paperfs/uploads`)
	close(pass)
	assert.Empty(t, <-retried)
	assert.Equal(t, "older", m.sh(`cat media/d/g`))
	assert.Equal(t, "newer content", m.sh(`cat .paperfs/failed/f`))
	m.proxy.Heal()
	m.remount()
	assert.Equal(t, "older", m.sh(`cat media/d/g`))
	m.sh(`mv .paperfs/failed/f media/f && test -z "$(ls .paperfs/failed)"`)
	assert.Equal(t, map[string]string{"f": sum("newer content\n"), "d/g": sum("older\n")}, m.atService())
}

// An entry's name does not become another entry's when that goes.
func TestNamesInFailedStay(t *testing.T) {
	m := newMount(t)
	m.sh(`mkdir media/a media/b media/c`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	for _, dir := range []string{"a", "b", "c"} {
		m.fails(`echo ` + dir + ` > "$HOME/f" && cp "$HOME/f" media/` + dir + `/f`)
		m.eventually(`grep -qx ` + dir + ` .paperfs/failed/f*`)
	}
	assert.Equal(t, "a\nb\nc", m.sh(`cat .paperfs/failed/* | sort`))
	name := m.sh(`cd .paperfs/failed && grep -lx b f*`)
	m.sh(`rm .paperfs/failed/f`)
	assert.Equal(t, name, m.sh(`cd .paperfs/failed && grep -lx b f*`))
	m.sh(`rm .paperfs/failed/* && test -z "$(ls .paperfs/failed)"`)
}

// `paperfs retry` of failed/ sends all that is there; what fails again stays
// there, and holds up nothing.
func TestRetryOfAllThatFailed(t *testing.T) {
	m := newMount(t)
	m.sh(`mkdir media/d`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>The quota is used up.</message></result>`)
	m.fails(`for f in one d/two three; do echo $f > media/$f; done; false`)
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 3`)
	m.sh(`"$PAPERFS" retry .`)
	assert.Equal(t, "3", m.sh(`ls .paperfs/failed | wc -l`), "that is what is queued")
	assert.Contains(t, m.fails(`"$PAPERFS" retry .paperfs/failed`), "three")
	m.proxy.Heal()
	m.sh(`mkdir media/e && echo e > media/e/four`)
	m.sh(`"$PAPERFS" retry "$PWD/.paperfs/failed" && test -z "$(ls .paperfs/failed)"`)
	assert.Equal(t, map[string]string{"one": sum("one\n"), "d/two": sum("d/two\n"), "three": sum("three\n"), "e/four": sum("e\n")}, m.atService())
	m.sh(`"$PAPERFS" retry .paperfs/failed`)
}

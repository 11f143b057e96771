package mounttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
)

func (m *mounted) status() (s control.Status) {
	m.t.Helper()
	require.NoError(m.t, json.Unmarshal([]byte(m.sh(`cat .paperfs/status`)), &s))
	return s
}

// TestWaitingForTheBudgetIsVisible checks that a change waits for its turn, that the status shows
// for how long, and that a read that would wait too long is refused.
func TestWaitingForTheBudgetIsVisible(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/a papers/b`)
	m.remount("--rpm", "4", "--max-wait", "1ms")
	released := make(chan struct{})
	go func() {
		defer close(released)
		for err := error(nil); err == nil; {
			_, err = m.run("bash", `mktemp -d papers/b/XXXXXX`)
		}
	}()
	m.eventually(`grep -q '"waiting": [1-9]' .paperfs/status`)
	s := m.status()
	assert.Positive(t, s.Requests.NextIn)
	assert.LessOrEqual(t, s.Requests.NextIn, 60.0)
	assert.Regexp(t, `[1-9] waiting, next request in [0-9.]+ s`, m.sh(`"$PAPERFS" status .`))
	failed := s.Requests.Failed
	assert.Contains(t, m.fails(`cat papers/a/.category/settings/autoMaximize`), "busy")
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/a/.category/settings/autoMaximize`), "as the limit is 4 a minute")
	s = m.status()
	assert.Positive(t, s.Requests.HeldBack)
	assert.Equal(t, failed, s.Requests.Failed, "nothing was sent")
	m.eventually(`"$PAPERFS" status . | grep -q 'failed without a request; 4 of 4 allowed'`)
	m.kill() // ends the waiting calls too
	<-released
}

// TestAServiceThatIsAwayIsAskedAgain checks that cached content can be read, that everything else
// fails at once, and that the status shows when the mount will try the service again.
func TestAServiceThatIsAwayIsAskedAgain(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls -R papers > /dev/null; cat papers/A/X.paper/structure.xml > /dev/null`)
	m.proxy.Down()
	m.fails(`cat papers/A/X.paper/links.xml`)
	m.sh(`cat papers/A/X.paper/url papers/A/X.paper/structure.xml > /dev/null`)
	require.NotNil(t, m.status().Service.AwaySince)
	require.NotNil(t, m.status().Service.AskedAgain)
	assert.Contains(t, m.sh(`"$PAPERFS" status .`), "tried again with the first call after")
	m.proxy.Up()
	m.eventually(`cat papers/A/X.paper/links.xml > /dev/null 2>&1`)
	require.Nil(t, m.status().Service.AwaySince)
}

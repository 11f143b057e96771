package mounttest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestOwnChangesOutliveAFetchThatBeganBefore delays the answer of a tree while the mount creates
// and moves directories. Nothing waits for the answer, and it undoes no change.
func TestOwnChangesOutliveAFetchThatBeganBefore(t *testing.T) {
	t.Parallel()
	m, _ := shared(t)
	held, release := m.proxy.FreezeAnswer(remote.GetAllPapers)
	refreshed := make(chan struct{})
	go func() {
		defer close(refreshed)
		_, _ = m.run("bash", `echo > .paperfs/refresh`)
	}()
	select {
	case <-held:
	case <-time.After(testrun.Patience()):
		t.Fatal("the mount did not request the tree")
	}
	m.sh(`mkdir papers/Made papers/Made/P.paper && mv papers/A/X.paper papers/C/ && echo moved > papers/C/X.paper/url`)
	assert.Equal(t, "A\nC\nMade", m.sh(`ls papers`))
	assert.Equal(t, "X.paper", m.sh(`ls papers/C`))
	release()
	<-refreshed
	assert.Equal(t, "A\nC\nMade", m.sh(`ls papers`))
	assert.Equal(t, "B", m.sh(`ls papers/A`))
	assert.Equal(t, "X.paper", m.sh(`ls papers/C`))
	assert.Equal(t, "/c/moved/", m.sh(`cat papers/C/X.paper/url`))
	m.sh(`echo > .paperfs/refresh`)
	assert.Equal(t, "A\nC\nMade", m.sh(`ls papers`))
}

// TestAChangeThatHangsHoldsUpNobodyElsewhere checks that, while a mkdir waits and the kernel locks
// its directory, changes by others still appear in other directories, and in that one afterwards.
func TestAChangeThatHangsHoldsUpNobodyElsewhere(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	release := m.proxy.Freeze(remote.CreateCategory)
	made := make(chan struct{})
	go func() {
		defer close(made)
		_, _ = m.run("bash", `mkdir papers/A/Slow`)
	}()
	m.waitForRequest(remote.CreateCategory)
	o.paper("/a/", "In", "in")
	o.paper("/c/", "Elsewhere", "elsewhere")
	m.sh(`echo > .paperfs/refresh; test -d papers/C/Elsewhere.paper && ls papers/C | grep -q Elsewhere`)
	release()
	<-made
	m.eventually(`test -d papers/A/In.paper`)
	assert.Equal(t, "B\nIn.paper\nSlow\nX.paper", m.sh(`ls papers/A | sort`))
}

// TestAKillAfterTheTreeWasRead checks that the next mount lists what was listed before, without
// another request within --tree-ttl.
func TestAKillAfterTheTreeWasRead(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	testrun.Must(m.client().CreateDirectory(t.Context(), 0, "theirs"))(t)
	m.killAfter(`test -d media/theirs`)
	m.start()
	require.Equal(t, "theirs", m.sh(`ls media`))
	m.proxy.Reset()
	m.remount()
	require.Equal(t, "theirs", m.sh(`ls media`))
	require.Zero(t, m.proxy.Count(remote.GetTree))
}

// TestMkdirMakesNoSecondCategory checks that mkdir fails, and makes nothing, if the name is taken and
// the service's tree cannot be read at that moment: the category there may be the user's own.
func TestMkdirMakesNoSecondCategory(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/C`)
	client, c := m.client(), remote.Node{ID: m.idOf("papers/C"), URL: "/c/"}
	testrun.Must(client.CreateCategory(t.Context(), c, "X", "x"))(t)
	m.refuse(remote.GetAllPapers, `<result><code>ERROR</code><message>The tree is locked.</message></result>`)
	m.fails(`mkdir papers/C/X`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X`), "The tree is locked")
	assert.Equal(t, 1, m.proxy.Count(remote.CreateCategory)-1, "one for C and one for X")
	m.proxy.Heal()
	var made []string
	require.NoError(t, client.GetAllPapers(t.Context(), c.ID, func(n remote.Node) error {
		made = append(made, n.URL)
		return nil
	}))
	assert.Equal(t, "/c/ /c/x/", strings.Join(made, " "))
	m.sh(`"$PAPERFS" refresh .; test -d papers/C/X`)
}

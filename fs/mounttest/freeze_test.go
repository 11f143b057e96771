package mounttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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

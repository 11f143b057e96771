package mounttest

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestStatusTellsTroubleAtOnce checks a call that a proxy answers with 502 and the mount repeats:
// status says so during the call, and no longer once the service answers.
func TestStatusTellsTroubleAtOnce(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls media`)
	var asked atomic.Int32
	again, held := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	t.Cleanup(release)
	m.proxy.Answer(remote.UploadFile, func(w http.ResponseWriter, _ *http.Request) bool {
		switch asked.Add(1) {
		case 1:
			http.Error(w, "<html><title>502 Bad Gateway</title></html>", http.StatusBadGateway)
			return true
		case 2:
			close(again)
			<-held
		}
		return false
	})
	copied := make(chan error)
	go func() {
		_, err := m.run("bash", `echo content > media/file && cat media/file`)
		copied <- err
	}()
	requireEnds(t, "the pause before the repeat", again)
	const words = `trouble: +the service failed \(HTTP 502\): 502 Bad Gateway, since .* again`
	assert.Regexp(t, words, m.sh(`"$PAPERFS" status .`))
	assert.Contains(t, m.sh(`cat .paperfs/status`), `"trouble": "the service failed (HTTP 502): 502 Bad Gateway"`)
	release()
	require.NoError(t, <-copied)
	assert.NotContains(t, m.sh(`"$PAPERFS" status .; cat .paperfs/status`), "trouble")
}

// TestStatusTellsWhatItWaitsFor checks a call that the service accepts but does not answer: status
// shows why mkdir does not return.
func TestStatusTellsWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls papers`)
	arrived, held := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	t.Cleanup(release)
	m.proxy.Answer(remote.CreateCategory, func(http.ResponseWriter, *http.Request) bool {
		close(arrived)
		<-held
		return false
	})
	made := make(chan error)
	go func() {
		_, err := m.run("bash", `mkdir papers/A`)
		made <- err
	}()
	requireEnds(t, "mkdir's way to the service", arrived)
	assert.Regexp(t, `under way: +CreateCategory for [0-9.hm]+s: no answer yet`, m.sh(`"$PAPERFS" status .`))
	assert.Regexp(t, `"operation": "CreateCategory"`, m.sh(`cat .paperfs/status`))
	release()
	require.NoError(t, <-made)
	assert.NotContains(t, m.sh(`"$PAPERFS" status .; cat .paperfs/status`), "CreateCategory for")
}

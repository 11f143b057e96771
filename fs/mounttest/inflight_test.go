package mounttest

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// freezeDownloads delays downloads of content until release is called. The returned channel is
// closed once a download waits.
func (m *mounted) freezeDownloads() (held <-chan struct{}, release func()) {
	waits, released := make(chan struct{}), make(chan struct{})
	tell := sync.OnceFunc(func() { close(waits) })
	m.proxy.Answer(nil, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			return false
		}
		tell()
		select {
		case <-released:
		case <-r.Context().Done():
		}
		return false
	})
	return waits, sync.OnceFunc(func() { close(released) })
}

// killedEnds kills the mount and checks that its process ends, which it could not with a thread
// that waits in the kernel.
func (m *mounted) killedEnds() {
	m.t.Helper()
	require.NoError(m.t, m.process.Process.Kill())
	select {
	case <-m.exited:
	case <-time.After(testrun.Patience()):
		m.t.Fatal("a notification waits in the kernel: the killed mount does not end")
	}
}

// TestNoNotificationWaitsInTheKernel checks that a notification waits in this process, not in the
// kernel, for a lock that one of the mount's requests holds. So a killed mount ends, and the next
// one starts.
func TestNoNotificationWaitsInTheKernel(t *testing.T) {
	t.Parallel()
	t.Run("a name, during a mkdir", func(t *testing.T) {
		m, o := shared(t)
		release := m.proxy.Freeze(remote.CreateCategory)
		defer release()
		made := make(chan struct{})
		go func() {
			defer close(made)
			_, _ = m.run("bash", `mkdir papers/A/Slow`)
		}()
		m.waitForRequest(remote.CreateCategory)
		o.paper("/a/", "In", "in")
		m.sh(`echo > .paperfs/refresh`)
		m.killedEnds()
		release()
		<-made
		m.crashed()
		m.sh(reread + `; test -d papers/A/In.paper`)
	})
	t.Run("a name, during a rename", func(t *testing.T) {
		m, o, dir, _ := sharedMedia(t)
		m.sh(`echo two > media/d/.t`)
		release := m.proxy.Freeze(remote.UploadFile)
		defer release()
		m.proxy.Reset()
		moved := make(chan struct{})
		go func() {
			defer close(moved)
			_, _ = m.run("bash", `mv media/d/.t media/d/new`)
		}()
		m.waitForRequest(remote.UploadFile)
		o.upload(dir, "other", "theirs")
		m.sh(reread)
		m.killedEnds()
		release()
		<-moved
		m.crashed()
		m.sh(reread + `; test "$(cat media/d/other)" = theirs`)
	})
	t.Run("content, during a read", func(t *testing.T) {
		m, o, dir, _ := sharedMedia(t)
		held, release := m.freezeDownloads()
		defer release()
		read := make(chan struct{})
		go func() {
			defer close(read)
			_, _ = m.run("bash", `cat media/d/g`)
		}()
		<-held
		o.upload(dir, "g", "other, and longer")
		m.sh(reread)
		m.killedEnds()
		release()
		<-read
		m.crashed()
		assert.Equal(t, "other, and longer", m.sh(reread+`; cat media/d/g`))
	})
}

// TestNotificationsArriveUnderAnEndlessLs checks a directory in which some request is always in
// flight.
func TestNotificationsArriveUnderAnEndlessLs(t *testing.T) {
	t.Parallel()
	m, o := shared(t)
	busy := make(chan error)
	for i := range 2 {
		go func() {
			_, err := m.run("bash", `n=0; until test -e "$HOME/stop"; do test -e papers/A/`+string(rune('a'+i))+`$n; n=$((n + 1)); done`)
			busy <- err
		}()
	}
	for _, name := range []string{"one", "two"} {
		o.paper("/a/", name, name)
		m.sh(`echo > .paperfs/refresh`)
		m.eventually(`test -d papers/A/` + name + `.paper`)
	}
	m.sh(`touch "$HOME/stop"`)
	for range 2 {
		require.NoError(t, <-busy)
	}
}

// crashed removes a killed mount and mounts again.
func (m *mounted) crashed() {
	m.t.Helper()
	m.detach()
	m.start()
}

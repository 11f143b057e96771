package mountpoint

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// heldMount is busy until released.
type heldMount struct {
	busy, used     atomic.Bool
	elsewhere      bool // another mount namespace has it; used there
	gone, detached bool
	refreshed      int
	said           []string
	signals        chan os.Signal
	done           chan struct{}
	result         chan bool
}

func startUnmounter() *heldMount {
	m := &heldMount{signals: make(chan os.Signal, 1), done: make(chan struct{}), result: make(chan bool, 1)}
	u := &Unmounter{
		Unmount: func() error {
			if m.busy.Load() {
				return fmt.Errorf("/mnt: %w", ErrBusy)
			}
			if !m.gone && !m.elsewhere {
				close(m.done)
			}
			m.gone = true
			return nil
		},
		Unused: func() bool { return m.elsewhere && !m.used.Load() },
		Detach: func() error { m.detached = true; return nil },
		Holders: func() []Holder {
			return []Holder{{PID: 7, Command: "vim", Use: openFile, Path: "/mnt/x"}}
		},
		Refresh:  func() { m.refreshed++ },
		Say:      func(line string) { m.said = append(m.said, line) },
		Patience: DefaultPatience, Retry: DefaultRetry,
	}
	go func() { m.result <- u.Run(m.signals, m.done) }()
	synctest.Wait()
	return m
}

func (m *heldMount) send(s os.Signal) { m.signals <- s; synctest.Wait() }

func TestFreeMountIsUnmounted(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		synctest.Test(t, func(t *testing.T) {
			m := startUnmounter()
			m.send(syscall.SIGUSR1)
			require.Equal(t, 1, m.refreshed)
			require.False(t, m.gone)
			m.send(s)
			require.False(t, <-m.result)
			require.True(t, m.gone)
			require.Empty(t, m.said)
		})
	}
}

func TestBusyMountNamesItsHoldersAndWaits(t *testing.T) {
	for s, limit := range map[os.Signal]time.Duration{
		syscall.SIGINT: time.Hour, syscall.SIGTERM: 30 * time.Second, syscall.SIGHUP: 30 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) { // the holder ends in time
			m := startUnmounter()
			m.busy.Store(true)
			m.send(s)
			require.Contains(t, strings.Join(m.said, "\n"), "vim (process 7): open file /mnt/x")
			time.Sleep(limit - time.Second)
			m.send(syscall.SIGUSR1)
			require.Equal(t, 1, m.refreshed)
			m.busy.Store(false)
			require.False(t, <-m.result)
			require.True(t, m.gone)
			require.False(t, m.detached)
		})
		synctest.Test(t, func(t *testing.T) { // a second signal
			m := startUnmounter()
			m.busy.Store(true)
			m.send(s)
			m.send(syscall.SIGTERM)
			require.True(t, <-m.result)
			require.True(t, m.detached)
		})
		synctest.Test(t, func(t *testing.T) { // another program unmounts it
			m := startUnmounter()
			m.busy.Store(true)
			m.send(s)
			close(m.done)
			require.False(t, <-m.result)
		})
	}
}

func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := startUnmounter()
		m.busy.Store(true)
		began := time.Now()
		m.send(syscall.SIGTERM)
		require.True(t, <-m.result)
		require.Equal(t, DefaultPatience, time.Since(began))
	})
}

// TestAMountThatAnotherNamespaceHasEnds checks that an unmounted mount that another mount namespace
// still has ends when nobody uses it there, after patience, or at a second signal.
func TestAMountThatAnotherNamespaceHasEnds(t *testing.T) {
	for name, ending := range map[string]struct {
		end      func(m *heldMount)
		detached bool
		after    time.Duration
	}{
		"unused":        {func(m *heldMount) { m.used.Store(false) }, false, DefaultRetry},
		"patience":      {func(*heldMount) {}, true, DefaultPatience},
		"second signal": {func(m *heldMount) { m.send(syscall.SIGTERM) }, true, 0},
		"ended there":   {func(m *heldMount) { close(m.done) }, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := startUnmounter()
				m.elsewhere = true
				m.used.Store(true)
				began := time.Now()
				m.send(syscall.SIGTERM)
				ending.end(m)
				require.Equal(t, ending.detached, <-m.result)
				require.Equal(t, ending.after, time.Since(began))
			})
		})
	}
}

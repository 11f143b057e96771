package caller

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

func TestEndingIn(t *testing.T) {
	for name, c := range map[string]struct {
		status string
		want   bool
	}{
		"nothing":       {"SigPnd:\t0000000000000000\nShdPnd:\t0000000000000000\nSigBlk:\t0\nSigIgn:\t0\n", false},
		"kill":          {"SigPnd:\t0000000000000100\nShdPnd:\t0\nSigBlk:\t0\nSigIgn:\t0\n", true},
		"term, shared":  {"SigPnd:\t0\nShdPnd:\t0000000000004000\nSigBlk:\t0\nSigIgn:\t0\n", true},
		"term, blocked": {"SigPnd:\t0\nShdPnd:\t0000000000004000\nSigBlk:\t0000000000004000\nSigIgn:\t0\n", false},
		"int, ignored":  {"SigPnd:\t0\nShdPnd:\t0000000000000002\nSigBlk:\t0\nSigIgn:\t0000000000000002\n", false},
		"urg":           {"SigPnd:\t0000000000400000\nShdPnd:\t0\nSigBlk:\t0\nSigIgn:\t0\n", false},
		"garbage":       {"SigPnd:\tzz\nwhatever", false},
		"hup and chld":  {"SigPnd:\t0000000000010001\nShdPnd:\t0\nSigBlk:\t0000000000010000\nSigIgn:\t0\n", true},
	} {
		require.Equal(t, c.want, endingIn([]byte(c.status)), name)
	}
}

func TestWait(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	done := make(chan struct{})
	sleeper := programtest.Command(t, 0, "sleep", "60")
	require.NoError(t, sleeper.Start())
	t.Cleanup(func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() })

	outcome := make(chan bool, 1)
	go func() { outcome <- Wait(cancelled, uint32(sleeper.Process.Pid), done) }()
	select {
	case <-outcome:
		t.Fatal("a caller without a pending signal was released before the work was done")
	case <-time.After(3 * poll):
	}
	close(done)
	require.False(t, <-outcome)
}

func TestWaitReleasesAnEndingCaller(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	// A stopped process keeps TERM pending, like one that waits in the kernel.
	sleeper := programtest.Command(t, 0, "sleep", "60")
	require.NoError(t, sleeper.Start())
	t.Cleanup(func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() })
	require.NoError(t, sleeper.Process.Signal(syscall.SIGSTOP))
	stopped := func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", sleeper.Process.Pid))
		return err == nil && strings.Contains(string(status), "State:\tT")
	}
	require.Eventually(t, stopped, testrun.Patience(), time.Millisecond, "the process must be stopped first, or the signal would be delivered")
	require.NoError(t, sleeper.Process.Signal(syscall.SIGTERM))
	require.True(t, Wait(cancelled, uint32(sleeper.Process.Pid), make(chan struct{})))
}

// TestNobodyWaitsForAReaderThatEnded checks a reader that has ended before the kernel's readahead
// request arrives: the kernel does not interrupt such a request.
func TestNobodyWaitsForAReaderThatEnded(t *testing.T) {
	reader := programtest.Command(t, 0, "true")
	out := testrun.Must(reader.StdoutPipe())(t)
	require.NoError(t, reader.Start())
	_, err := io.ReadAll(out) // returns when the reader has ended
	require.NoError(t, err)
	tid := uint32(reader.Process.Pid)
	require.True(t, WaitReading(t.Context(), tid, make(chan struct{})), "a zombie: the parent has not waited for it")
	require.NoError(t, reader.Wait())
	require.True(t, WaitReading(t.Context(), tid, make(chan struct{})), "the thread has ended")

	over, known := ended(uint32(os.Getpid()))
	require.True(t, known)
	require.False(t, over)
	_, known = ended(0)
	require.False(t, known)
}

func TestComm(t *testing.T) {
	sleeper := programtest.Command(t, 0, "sleep", "60")
	require.NoError(t, sleeper.Start())
	t.Cleanup(func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() })
	require.Equal(t, "sleep", Comm(uint32(sleeper.Process.Pid)))
	require.Empty(t, Comm(0))
	require.Empty(t, Comm(1<<30))
}

func TestProcessOfAThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	threads := testrun.Must(os.ReadDir("/proc/self/task"))(t)
	require.Greater(t, len(threads), 1)
	for _, thread := range threads {
		tid := testrun.Must(strconv.Atoi(thread.Name()))(t)
		if group := Process(uint32(tid)); group != 0 { // the thread may have ended
			require.EqualValues(t, os.Getpid(), group)
		}
	}
	require.EqualValues(t, os.Getpid(), Process(uint32(syscall.Gettid())))
	require.Zero(t, Process(1<<30))
}

func BenchmarkCloseOf(b *testing.B) {
	tid := uint32(os.Getpid())
	for b.Loop() {
		CloseOf(tid)
	}
}

package programtest

import (
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// groups are the process groups of the running tests.
var groups struct {
	sync.Mutex
	of map[testing.TB]int
}

// groupOf returns the process group of a test's programs. Its leader is a shell that waits
// for the end of its stdin, which comes with the end of the test or of this process, and
// then kills the group and itself. It lives until then, so the kernel cannot reuse the
// group's number.
func groupOf(t testing.TB) int {
	t.Helper()
	groups.Lock()
	defer groups.Unlock()
	if group, ok := groups.of[t]; ok {
		return group
	}
	leader := exec.Command("sh", "-c", "read x; kill -KILL 0")
	leader.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end, err := leader.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := leader.Start(); err != nil {
		t.Fatal(err)
	}
	if groups.of == nil {
		groups.of = map[testing.TB]int{}
	}
	groups.of[t] = leader.Process.Pid
	t.Cleanup(func() {
		groups.Lock()
		delete(groups.of, t)
		groups.Unlock()
		_ = end.Close()
		_ = leader.Wait() // it was killed
		// Other members of the group may take a moment to end, and may still write into directories that the test
		// removes next. An orphan may never be reaped: so there is a limit.
		for end := time.Now().Add(5 * time.Second); syscall.Kill(-leader.Process.Pid, 0) == nil && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	})
	return leader.Process.Pid
}

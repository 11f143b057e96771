package programtest

import (
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// groups are the process groups of the tests that run.
var groups struct {
	sync.Mutex
	of map[testing.TB]int
}

// groupOf is the process group of a test's programs. A shell leads it that
// waits for the end of its stdin, which comes with the end of the test or of
// this process, and then kills the group and so itself. As it lives until
// then, the group's number never comes to stand for another group.
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
		// Others of the group may take a moment to end, and write until then into what the test removes next.
		// Nobody may wait for one whose parent is gone: so there is a limit.
		for end := time.Now().Add(5 * time.Second); syscall.Kill(-leader.Process.Pid, 0) == nil && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	})
	return leader.Process.Pid
}

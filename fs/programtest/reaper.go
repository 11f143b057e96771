package programtest

import (
	_ "embed"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// reaper is a shell that outlives this process: it waits for the end of its stdin, and then takes away the mounts of tests that
// nobody serves any more.
//
//go:embed reaper.sh
var reaper string

// reap starts the reaper. Tests unmount what they mount; this is for a test process that is killed or interrupted.
var reap = sync.OnceValue(func() error {
	cmd := exec.Command("sh", "-c", reaper, "sh", os.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C does not reach it
	_, err := cmd.StdinPipe()                             // nothing closes it but the end of this process
	if err == nil {
		err = cmd.Start()
	}
	return err
})

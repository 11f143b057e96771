package programtest

import (
	_ "embed"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// reaper is a shell that outlives this process: it reads the names of its tests' temporary directories until the end of its
// stdin, and then takes away the mounts in them that nobody serves any more. Other processes run tests in the same place, and
// some of them leave such a mount for a while on purpose.
//
//go:embed reaper.sh
var reaper string

// reap starts the reaper, and returns its stdin. Tests unmount what they mount; this is for a test process that is killed or
// interrupted.
var reap = sync.OnceValues(func() (io.Writer, error) {
	cmd := exec.Command("sh", "-c", reaper, "sh", os.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C does not reach it
	in, err := cmd.StdinPipe()                            // nothing closes it but the end of this process
	if err == nil {
		err = cmd.Start()
	}
	return in, err
})

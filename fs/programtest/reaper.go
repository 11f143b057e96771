package programtest

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// reaper is a shell that outlives this process: it waits for the end of its stdin, and then takes away the mounts of tests that
// nobody serves any more.
const reaper = `read x
for try in 1 2 3 4 5 6 7 8 9 10; do
	while read -r source at type rest; do
		at=$(printf %b "$at") # blanks are escaped there
		case $type:$at in
		fuse.paperfs*:"$1"/*)
			case $(LC_ALL=C stat -- "$at" 2>&1) in
			*'not connected'*) umount -l "$at" || fusermount3 -uz "$at" ;;
			esac ;;
		esac
	done < /proc/self/mounts 2> /dev/null
	sleep 0.1 # programs of the tests are being killed
done`

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

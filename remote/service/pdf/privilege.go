package pdf

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// noNewPrivileges sees to it that neither the process nor a program that it
// starts gets rights by a set-user-ID file. The kernel keeps that by thread, and
// a Go program has several before it can ask for anything: so the program is
// started again from a thread that has it. In that program it does nothing.
func noNewPrivileges() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	if err != nil || set == 1 {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("do without new privileges: %w", err)
	}
	err = unix.Exec("/proc/self/exe", os.Args, os.Environ()) // comes back only with an error
	return fmt.Errorf("start the PDF worker without new privileges: %w", err)
}

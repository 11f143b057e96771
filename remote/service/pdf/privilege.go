package pdf

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// noNewPrivileges ensures that neither the process nor a program that it starts
// gains privileges through a set-user-ID file. The kernel keeps this attribute per
// thread, and a process inherits it from the thread that starts it: a Processor's has
// it. Otherwise, since a Go program has several threads before main runs, a thread sets
// the attribute and executes the program again; there, the function does nothing.
func noNewPrivileges() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	if err != nil || set == 1 {
		return err
	}
	if err := withoutNewPrivileges(); err != nil {
		return fmt.Errorf("do without new privileges: %w", err)
	}
	err = unix.Exec("/proc/self/exe", os.Args, os.Environ()) // returns only on error
	return fmt.Errorf("start the PDF worker without new privileges: %w", err)
}

// withoutNewPrivileges sets the attribute of the current thread. There is no way back.
func withoutNewPrivileges() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }

package datadir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"paperfs/remote/dirlock"
	"paperfs/remote/durable"
)

// HeldError is the failure to open a data directory that another process
// serves.
type HeldError struct {
	Dir string
	PID int // 0 where it cannot be told
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is served by process %d already; stop that first, or serve another directory", e.Dir, e.PID)
}

// Lock makes the data directory where it is missing and takes its lock,
// which ends with the process at the latest. The file holds the holder's
// process id, for the message only: the lock is the kernel's.
func Lock(dir string) (*dirlock.Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := durable.SyncDir(filepath.Dir(filepath.Clean(dir))); err != nil {
		return nil, err
	}
	lock, err := dirlock.Take(filepath.Join(dir, LockFile), fmt.Sprintf("%d\n", os.Getpid()))
	if held, ok := errors.AsType[*dirlock.HeldError](err); ok {
		pid, _ := strconv.Atoi(strings.TrimSpace(held.Holder))
		return nil, &HeldError{Dir: dir, PID: pid}
	}
	return lock, err
}

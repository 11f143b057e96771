package datadir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"paperfs/remote/durable"
)

// HeldError reports that another process serves the data directory.
type HeldError struct {
	Dir string
	PID int // 0 if unknown
}

func (e *HeldError) Error() string {
	process := "another process"
	if e.PID != 0 {
		process = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("%s is already being served by %s; stop it first, or use another directory", e.Dir, process)
}

// Lock creates the data directory if necessary and takes its lock, which ends at the latest with
// the process. The lock is a kernel lock; the process id in the file is only for messages.
func Lock(dir string) (*durable.Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := durable.SyncDir(filepath.Dir(filepath.Clean(dir))); err != nil {
		return nil, err
	}
	lock, err := durable.TakeLock(filepath.Join(dir, LockFile), "")
	if held, ok := errors.AsType[*durable.HeldError](err); ok {
		pid, _ := strconv.Atoi(strings.TrimSpace(held.Holder))
		return nil, &HeldError{Dir: dir, PID: pid}
	}
	if err == nil {
		_ = lock.SetHolder(fmt.Sprintf("%d\n", os.Getpid())) // a full disk has no room for it
	}
	return lock, err
}

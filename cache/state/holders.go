package state

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Last is the mount that had an account last.
type Last struct {
	Holder
	Held bool // it has the account still, or its process has not ended
}

// LastAt gives those of the accounts below stateHome whose last mount was at
// mountpoint and was not unmounted. Accounts that cannot be read are left out.
func LastAt(stateHome, mountpoint string) (found []Last) {
	accounts := filepath.Join(stateHome, "paperfs")
	entries, _ := os.ReadDir(accounts)
	for _, e := range entries {
		if l, ok := lastOf(filepath.Join(accounts, e.Name(), lockName), mountpoint); ok {
			found = append(found, l)
		}
	}
	return found
}

func lastOf(path, mountpoint string) (Last, bool) {
	f, err := os.Open(path)
	if err != nil {
		return Last{}, false
	}
	defer f.Close()
	l := Last{Holder: readHolder(f)}
	if l.PID == 0 || l.Mountpoint != mountpoint {
		return l, false
	}
	// For an instant: whoever wants the lock meanwhile tries longer than that.
	if l.Held = unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil; !l.Held {
		_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	}
	return l, true
}

package state

import (
	"os"
	"path/filepath"

	"paperfs/remote/durable"
)

// Last is the mount that last had an account.
type Last struct {
	Holder
	Account string // its directory, Dirs.State
	Held    bool   // it still has the account, or its process has not ended
}

// LastAt returns the accounts below stateHome whose last mount was at mountpoint and was
// not unmounted. It omits accounts that cannot be read.
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
	text, err := durable.LockHolder(path)
	l := Last{Holder: parseHolder(text), Account: filepath.Dir(path)}
	if err != nil || l.PID == 0 || l.Mountpoint != mountpoint {
		return Last{}, false
	}
	l.Held = durable.LockHeld(path)
	return l, true
}

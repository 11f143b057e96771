package state

import (
	"os"
	"path/filepath"

	"paperfs/remote/dirlock"
)

// Unheld returns the directories of the accounts below stateHome that no mount has.
func Unheld(stateHome string) (dirs []string) {
	found, _ := filepath.Glob(filepath.Join(stateHome, "paperfs", "*"))
	for _, dir := range found {
		info, err := os.Lstat(dir)
		if err == nil && info.IsDir() && account.MatchString(dir) && !dirlock.Held(filepath.Join(dir, lockName)) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Emptied reports whether an account has no database, or an empty one, and how many files
// wait there to be sent to the service.
func Emptied(dir string) (emptied bool, waiting int) {
	if info, err := os.Stat(Database(dir)); err == nil && info.Size() > 0 {
		return false, 0
	}
	for _, part := range []string{"spool", "failed"} {
		files, _ := os.ReadDir(filepath.Join(dir, part))
		waiting += len(files)
	}
	return true, waiting
}

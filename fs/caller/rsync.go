package caller

import (
	"bytes"
)

// Interrupted reports whether thread tid belongs to an rsync that was interrupted and
// cleans up. It then closes a partial file, and with --partial or -P renames it to the name
// of the complete file.
func Interrupted(tid uint32) bool {
	if tid == 0 {
		return false
	}
	s, held := statOf(tid)
	return !held && s.cleansUp()
}

// Appends reports whether thread tid belongs to an rsync with --append or --append-verify
// among its first arguments.
func Appends(tid uint32) bool {
	if Comm(tid) != "rsync" {
		return false
	}
	line, err := read(tid, "cmdline", make([]byte, 4096))
	return err == nil && bytes.Contains(line, []byte("\x00--append"))
}

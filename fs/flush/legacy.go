package flush

import (
	"golang.org/x/sys/unix"

	"paperfs/fs/caller"
)

// legacy is what an opener leaves that was killed while it had the file. It is
// empty while none was.
type legacy struct {
	session int
	program string // the opener's, for people
}

// left is the legacy of who is killed, and waits for the answer to its FLUSH.
func left(killed caller.Closing) legacy {
	session, err := unix.Getsid(int(killed.Process))
	if err != nil {
		return legacy{}
	}
	return legacy{session, killed.Program}
}

// goesTo reports whether a process is in the killed one's session.
func (l legacy) goesTo(process uint32) bool {
	if l.session == 0 {
		return false
	}
	session, err := unix.Getsid(int(process))
	return err == nil && session == l.session
}

package flush

import (
	"golang.org/x/sys/unix"

	"paperfs/fs/caller"
)

// legacy is what an opener leaves that was killed while it had the file. It is
// empty while none was.
type legacy struct {
	left    bool
	session int    // 0 where its leader lives outside of this PID namespace, as in a sandbox
	program string // the opener's, for people
}

// left is the legacy of who is killed, and waits for the answer to its FLUSH.
func left(killed caller.Closing) legacy {
	session, err := unix.Getsid(int(killed.Process))
	if err != nil {
		return legacy{}
	}
	return legacy{true, session, killed.Program}
}

// goesTo reports whether a process is in the killed one's session.
func (l legacy) goesTo(process uint32) bool {
	if !l.left {
		return false
	}
	session, err := unix.Getsid(int(process))
	return err == nil && session == l.session
}

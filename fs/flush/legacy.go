package flush

import (
	"golang.org/x/sys/unix"

	"paperfs/fs/caller"
)

// legacy describes an opener that was killed while it had the file open. It is empty
// if there is none.
type legacy struct {
	left    bool
	session session
	program string // the opener's, for people
}

// left is the legacy of a killed process, and waits for the answer to its FLUSH.
func left(killed caller.Closing) legacy {
	return legacy{true, sessionOf(killed.Process), killed.Program}
}

// goesTo reports whether a process may be in the killed one's session.
func (l legacy) goesTo(process uint32) bool {
	return l.left && l.session.mayBe(sessionOf(process))
}

// session is a session's number as this process sees it.
type session int

const (
	// outside is that of each session whose leader lives outside of this PID
	// namespace, as in a sandbox. Two of them look alike.
	outside session = 0
	unknown session = -1 // we may not ask
)

func sessionOf(process uint32) session {
	id, err := unix.Getsid(int(process))
	if err != nil {
		return unknown
	}
	return session(id)
}

// mayBe reports whether two sessions cannot be told apart. In doubt they are
// one: what an heir wrote is kept in failed/, while the half of a killed program,
// once published, replaces the whole.
func (s session) mayBe(other session) bool {
	return s == other || s == unknown || other == unknown
}

package flush

import (
	"golang.org/x/sys/unix"

	"paperfs/fs/caller"
)

// killedOpener describes an opener that was killed while it had the file open. The zero value
// means that there is none.
type killedOpener struct {
	set     bool
	session session
	program string // the opener's, for messages
}

// killedOpenerOf describes a killed process that waits for the answer to its FLUSH.
func killedOpenerOf(killed caller.Closing) killedOpener {
	return killedOpener{true, sessionOf(killed.Process), killed.Program}
}

// mayOrphan reports whether a process may be in the killed opener's session.
func (k killedOpener) mayOrphan(process uint32) bool {
	return k.set && k.session.mayBe(sessionOf(process))
}

// session is the number of a session in this process's PID namespace.
type session int

const (
	// outside is the number of every session whose leader is outside this PID
	// namespace, as in a sandbox. Two of them look the same.
	outside session = 0
	unknown session = -1 // paperfs may not read it
)

func sessionOf(process uint32) session {
	id, err := unix.Getsid(int(process))
	if err != nil {
		return unknown
	}
	return session(id)
}

// mayBe reports whether two sessions cannot be told apart. In doubt they count as one:
// then what an orphan wrote is kept in failed/, while a half-written file, once published,
// would replace the complete one.
func (s session) mayBe(other session) bool {
	return s == other || s == unknown || other == unknown
}

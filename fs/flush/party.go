package flush

import (
	"slices"

	"golang.org/x/sys/unix"

	"paperfs/fs/caller"
)

// party is a process that has or had the file open.
type party struct {
	*caller.Program
	opener            bool
	closer            bool // not a party, but it closed the file and may have a mapping
	wrote             bool // wrote since the content was last published
	flushDue          bool // wrote since its last FLUSH, so another FLUSH is due
	flushedAfterWrite bool // its last FLUSH came after a write by any process
	flushedAtExit     bool // a FLUSH came after it had begun to end
	fate              caller.Fate
}

// holds reports whether a party can still write to f. A mere closer does not
// count.
func (p *party) holds(f caller.File) bool {
	switch {
	case p.closer || p.Ended():
		return false
	case p.flushDue:
		return true
	}
	switch holds, known := p.Holds(f); {
	case holds:
		return true
	case p.ends():
		return !p.flushedAtExit
	default:
		return !known && !p.flushedAfterWrite
	}
}

// ends reports whether the party has begun to end. Its descriptors no longer show then,
// though it has yet to close them.
func (p *party) ends() bool {
	fate := p.updateFate()
	return fate == caller.EndedWell || fate == caller.WasKilled
}

// updateFate updates and returns the party's fate. Once the party has ended, its fate is
// final.
func (p *party) updateFate() caller.Fate {
	if p.fate != caller.EndedWell && p.fate != caller.WasKilled {
		p.fate = p.Fate()
	}
	return p.fate
}

// party returns the party of a process, or nil. A party that has ended does not match,
// because another process may have its number.
func (f *File) party(process uint32) *party {
	for _, p := range f.parties {
		if p.ID == process && !p.Ended() {
			return p
		}
	}
	return nil
}

// join makes the process of thread tid a party. It returns nil if the process cannot be
// watched. It drops parties that have ended; otherwise the file of a shell that runs all
// day would collect a party for each of its children.
func (f *File) join(tid uint32, as party) *party {
	f.parties = slices.DeleteFunc(f.parties, func(p *party) bool {
		ended := p.Ended()
		if ended {
			f.leave(p)
		}
		return ended
	})
	if as.Program = caller.Watch(tid); as.Program == nil {
		return nil
	}
	f.parties = append(f.parties, &as)
	return &as
}

// leave closes a party and keeps how it ended.
func (f *File) leave(p *party) {
	if f.mappable {
		f.ends.add(p.updateFate())
	}
	p.Close()
}

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

package flush

import (
	"errors"

	"paperfs/fs/caller"
)

// Verdict is what to do with the content of a file at a close.
type Verdict int

const (
	Publish Verdict = iota
	Leave
	Spoil
)

// cause says what caused a FLUSH.
type cause int

const (
	normal cause = iota
	killed
	exec
	dying
)

// role says what the process that sends a FLUSH is to the file.
type role int

const (
	stranger role = iota
	writer
	orphan
	opener
)

// flushed is the first table of the package comment. It calls held only where the answer
// matters.
func flushed(cause cause, role role, mapped bool, held func() bool) Verdict {
	switch {
	case role == orphan, cause == killed && (role != stranger || mapped):
		return Spoil
	case cause != normal || held():
		return Leave
	}
	return Publish
}

// ends says how parties ended.
type ends struct{ killed, unseen bool }

func (e *ends) add(fate caller.Fate) {
	e.killed = e.killed || fate == caller.WasKilled
	e.unseen = e.unseen || fate == caller.Unseen
}

// released is the second table of the package comment. It returns why the content is
// spoilt, or nil.
func released(e ends) error {
	switch {
	case e.killed:
		return errors.New("a program that had changed it through a mapping after its last close was killed")
	case e.unseen:
		return errors.New("a program changed it through a mapping after its last close, and paperfs could not see whether it ended by itself or was killed")
	}
	return nil
}

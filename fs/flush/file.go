package flush

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"paperfs/fs/caller"
)

// File is one opening of a file for writing, with all duplicates of its descriptor. Its
// methods are safe for concurrent use.
type File struct {
	judge    *Judge
	ino      uint64
	mappable bool   // programs can map it, and write through the mapping
	opener   uint32 // the process that opened it, 0 if it is not known

	mu           sync.Mutex   // guards the rest
	parties      []*party     // the opener first
	lastWriter   uint32       // the thread that last wrote since the last FLUSH
	written      bool         // any process ever wrote
	mapped       bool         // a mapping changed the content since it was published
	mappedLate   bool         // a mapping changed it since the last FLUSH
	ends         ends         // how the parties dropped from parties ended
	killedOpener killedOpener // the opener, if it was killed
}

// Wrote records that thread tid is about to write.
func (f *File) Wrote(tid uint32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written = true
	f.changed(tid)
}

// Truncated is Wrote for a new length. An open may truncate, too: a shell then closes one
// of two descriptors before any process writes.
func (f *File) Truncated(tid uint32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed(tid)
}

func (f *File) changed(tid uint32) {
	if tid == 0 || tid == f.lastWriter {
		return
	}
	f.lastWriter = tid
	if p := f.party(caller.Process(tid)); p != nil {
		p.wrote, p.flushDue, p.flushedAfterWrite, p.closer = true, true, false, false
		return
	}
	f.join(tid, party{wrote: true, flushDue: true})
}

// WroteMapped records that the kernel writes back changes made through a mapping. A
// process whose end unmaps the file waits for that, so WroteMapped can see its end.
func (f *File) WroteMapped() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written, f.mapped, f.mappedLate = true, true, true
	for _, p := range f.parties {
		p.updateFate()
	}
}

// Flushed returns the verdict on a FLUSH by thread tid, and for Spoil the reason. Call it
// before the FLUSH is answered.
func (f *File) Flushed(tid uint32) (v Verdict, spoiled error) { return f.flushed(tid, false) }

// LastFlushed is Flushed for content that cannot be published twice in a row: here the
// closing process also holds the file while it keeps a duplicate of the descriptor.
func (f *File) LastFlushed(tid uint32) (v Verdict, spoiled error) { return f.flushed(tid, true) }

func (f *File) flushed(tid uint32, last bool) (v Verdict, spoiled error) {
	closing := caller.CloseOf(tid)
	f.mu.Lock()
	defer f.mu.Unlock()
	me := f.flushes(closing.Process)
	if me != nil && closing.Ends {
		me.flushedAtExit = true
	}
	if closing.Killed && me != nil && me.opener {
		f.killedOpener = killedOpenerOf(closing)
	}
	others := me
	if last {
		others = nil
	}
	v = flushed(causeOf(closing), f.roleOf(me), f.mapped, func() bool { return f.heldBut(others) })
	if v == Spoil {
		return v, errKilled(cmp.Or(f.killedOpener.program, closing.Program))
	}
	if me == nil && f.mappable && !closing.Killed {
		f.join(tid, party{closer: true})
	}
	if v == Publish { // what is written from here on is not in what is sent
		f.mapped = false
		for _, p := range f.parties {
			p.wrote = false
		}
	}
	return v, nil
}

func errKilled(program string) error {
	return fmt.Errorf("%s was killed before it had written the whole file", program)
}

// Cut returns why what was written through f may be a part, or nil: its opener or a writer was killed,
// and the FLUSH that will be judged for it is still to come.
func (f *File) Cut() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.mapped && !slices.ContainsFunc(f.parties, func(p *party) bool { return p.wrote }) {
		return nil
	}
	for _, p := range f.parties {
		if (p.opener || p.wrote) && p.Dies() {
			return errKilled(caller.Comm(p.ID))
		}
	}
	return nil
}

// FlushedClean records a FLUSH by thread tid of a file with nothing to send.
func (f *File) FlushedClean(tid uint32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	me := f.flushes(caller.Process(tid))
	if me == nil {
		return
	}
	if me.flushedAtExit = me.ends(); me.opener && me.updateFate() == caller.WasKilled {
		f.killedOpener = killedOpenerOf(caller.CloseOf(tid))
	}
}

// flushes records a FLUSH by a process, and returns its party, or nil if it is not one.
func (f *File) flushes(process uint32) *party {
	f.lastWriter, f.mappedLate = 0, false
	me := f.party(process)
	if me != nil {
		me.flushDue, me.flushedAfterWrite = false, f.written
	}
	return me
}

func causeOf(c caller.Closing) cause {
	switch {
	case c.Killed:
		return killed
	case c.Exec:
		return exec
	case c.Dying:
		return dying
	}
	return normal
}

// roleOf returns what a party is to the file. If the opener is not known, any closing process
// may be the opener.
func (f *File) roleOf(p *party) role {
	switch {
	case f.opener == 0 || p != nil && p.opener:
		return opener
	case p != nil && p.wrote && f.killedOpener.mayOrphan(p.ID):
		return orphan
	case p != nil && p.wrote:
		return writer
	}
	return stranger
}

// heldBut reports whether any party but me holds the file.
func (f *File) heldBut(me *party) bool {
	return slices.ContainsFunc(f.parties, func(p *party) bool { return p != me && p.holds(f.file()) })
}

// Held reports whether a process that opened the file or wrote to it can still write to
// it.
func (f *File) Held() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.heldBut(nil)
}

// Released stops watching the parties at the RELEASE. It returns why the content is
// spoilt, or nil.
func (f *File) Released() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	none := len(f.parties) == 0 && f.ends == ends{}
	for _, p := range f.parties {
		f.leave(p)
	}
	f.parties = nil
	if !f.mappedLate {
		return nil
	}
	f.ends.unseen = f.ends.unseen || none // its owner is in another PID namespace
	return released(f.ends)
}

package flush

import (
	"slices"

	"paperfs/fs/caller"
)

// party is a process that has, or had, the file.
type party struct {
	*caller.Program
	opener bool
	closer bool // it is no party, but has closed the file: it may have a mapping
	wrote  bool // since the content was published last
	owes   bool // it has written since its last FLUSH, so another is to come
	let    bool // its last FLUSH came after a write of anybody
	over   bool // a FLUSH of it came when it had begun to end
	fate   caller.Fate
}

// holds reports whether a party can still write to f. A party that only
// closed it does not count.
func (p *party) holds(f caller.File) bool {
	switch {
	case p.closer || p.Ended():
		return false
	case p.owes:
		return true
	}
	switch holds, known := p.Holds(f); {
	case holds:
		return true
	case p.ends():
		return !p.over
	default:
		return !known && !p.let
	}
}

// ends reports whether the party has begun to end. Its descriptors show no more
// then, though it has yet to close them.
func (p *party) ends() bool {
	fate := p.look()
	return fate == caller.EndedWell || fate == caller.WasKilled
}

// look brings the party's fate up to date. That it has ended does not change
// any more.
func (p *party) look() caller.Fate {
	if p.fate != caller.EndedWell && p.fate != caller.WasKilled {
		p.fate = p.Fate()
	}
	return p.fate
}

// party is what a process is to the file, nil where it is nothing. What has
// ended is not it: its number may be another's.
func (f *File) party(process uint32) *party {
	for _, p := range f.parties {
		if p.ID == process && !p.Ended() {
			return p
		}
	}
	return nil
}

// join makes the process of thread tid a party; nil where it cannot be watched.
// Those that have ended go, or the file of a shell that runs all day
// would have a party for each of its children.
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

// leave keeps of a party how it ended.
func (f *File) leave(p *party) {
	if f.maps {
		f.ends.add(p.look())
	}
	p.Close()
}

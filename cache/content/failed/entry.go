package failed

import (
	"path"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// Entry is content that was not published.
type Entry struct {
	Name    string // name in failed/ (nameOf); constant while the store is open
	Path    string // intended path below media/; of a Draft from the mount's root, with a leading slash
	Suffix  string // ends the name if other content for Path is in failed/, too: " (older)"
	Reason  string
	Size    int64
	Mode    uint32
	ModTime time.Time
	Since   time.Time
	// Replaced says that Path now has other content than when this entry failed, or is being
	// written: sending the entry would undo that.
	Replaced bool
	// Unfinished says that the content may be incomplete: its writer was killed, or a write
	// failed.
	Unfinished bool
	// Unnamed says that a kill came before the content's name was stored: Path is made up.
	Unnamed bool
	// Temporary says that Path, of a Draft, is a temporary name: nothing is sent there.
	Temporary bool

	ID        int64 // never reused, so that entries cannot be confused
	Paper     int64 // of a Draft: its paper, 0 if that was to be created, -ID if nothing else is to replace it
	Dir       int64 // of a Draft beside a paper: their category
	Gone      bool  // of a Draft: that paper is not there any more, or the category in which it was to be created
	Overtaken bool  // of a Draft: its paper has another PDF, sent later from here or by others

	Spool string    // the content's name in the spool, "" if unknown
	Ino   inode.Ino // of its file, if it was added in this run

	Base *tree.Version // the service's version at Path when this failed, nil if unknown

}

// Place returns the intended path from the mount's root.
func (e Entry) Place() string { return tree.MountPath(e.Path) }

// Unnamed is the path prefix of entries without a known path.
const Unnamed = "unnamed-"

// The suffixes of entries whose path AddDamaged or AddOlder finds taken.
const (
	damaged = " (damaged)"
	older   = " (older)"
)

// place is what an entry belongs to, whatever is called how by now: of two with the same place, the newer one counts.
// It is a paper, a name in a category that has no such paper yet, or else a path.
type place struct {
	paper, dir   int64
	path, suffix string
}

func (f *Store) at(e *Entry) place {
	switch {
	case e.Paper != 0 && !f.Temporary(e.Path):
		return place{paper: e.Paper, suffix: e.Suffix}
	case e.Dir != 0:
		return place{dir: e.Dir, path: path.Base(e.Path), suffix: e.Suffix}
	}
	return place{paper: e.Paper, path: e.Path, suffix: e.Suffix}
}

// otherLocked returns the entry that e replaces, or nil. What was refused before its paper was made has no paper; f.mu must
// be held.
func (f *Store) otherLocked(e Entry) *Entry {
	other := f.byPlace[f.at(&e)]
	if other == nil && e.Dir != 0 {
		e.Paper = 0
		other = f.byPlace[f.at(&e)]
	}
	return other
}

const maxName = 255 // bytes (NAME_MAX)

// nameOf returns the name of an entry in failed/: the last element of its path and an end. It
// shortens the element if the name would be too long for a file system.
func nameOf(e *Entry, end string) string {
	return tree.Shorten(path.Base(e.Path), maxName-len(end)) + end
}

// EntryOf returns an entry for content of n; Tree.Mu must be held.
func EntryOf(n *tree.Node, size int64, why tree.Verdict) Entry {
	e := Entry{Path: n.LastPath(), Reason: why.Reason.Error(), Size: size, Ino: n.Ino, Mode: n.Permissions(), ModTime: n.Mtime.Time(),
		Unfinished: why.Partial}
	if n.PDF != nil {
		e.Paper, e.Dir = n.PDF.Paper, n.PDF.Dir
		e.Overtaken = refusal.Is(why.Reason, refusal.Exists) || refusal.Is(why.Reason, refusal.Superseded)
		return e
	}
	base := n.Pub
	e.Base = &base
	return e
}

// Replaces reports whether a node, which may be nil, has other content than base, or any if base
// is unknown; Tree.Mu must be held.
func Replaces(n *tree.Node, known *tree.Version) bool {
	if n == nil || n.Kind != inode.File || n.Local() {
		return false
	}
	var base tree.Version
	if known != nil {
		base = *known
	}
	return n.Dirty() || n.Pub.ID != 0 && (n.Pub.ID != base.ID || base.Differs(n.Pub))
}

// baseBytes encodes a version, without its address, for the row of an entry.
func baseBytes(base *tree.Version) (b journal.Fields) {
	if base == nil {
		return nil
	}
	b.Number(base.ID)
	b.Number(base.Size)
	b.Number(base.KB)
	b.Text(base.SHA256.String())
	return b
}

func readBase(kept []byte) (*tree.Version, error) {
	if kept == nil {
		return nil, nil
	}
	b := journal.Reader{Rest: kept}
	base := tree.Version{ID: b.Number(), Size: b.Number(), KB: b.Number(), SHA256: inode.DigestOf(b.Text())}
	return &base, b.Err
}

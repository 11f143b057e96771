package failed

import (
	"strings"
	"time"

	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/tree"
)

// Entry is content that was not published.
type Entry struct {
	Name    string // in failed/: the last part of Path, with ~NUMBER where another entry had it; it stays while the store is open
	Path    string // where it was meant to go, below media/; of a Draft from the mount's root, with a slash before it
	Reason  string
	Size    int64
	Mode    uint32
	ModTime time.Time
	Since   time.Time
	// Replaced tells that Path has other content than when this failed, or is being
	// written again: to send this undoes that.
	Replaced bool
	// Unfinished tells that the content may be a part: who wrote it was killed, or a
	// write failed.
	Unfinished bool
	// Unnamed tells that a kill came before the name of the content was kept: Path is
	// none.
	Unnamed bool
	// Temporary tells that Path, which is one of a Draft, is on the way to a PDF's name:
	// nothing is sent there.
	Temporary bool

	ID        int64 // never given twice, so that nobody takes one entry for another
	Paper     int64 // of a Draft: what it was meant for, 0 where that was to be made
	Overtaken bool  // of a Draft: its paper has another, sent later from here or put there by others

	Spool string // the name that the content had in the spool, empty where that is not known

	Base *tree.Version // what the service had at Path when this failed, nil where that is not known

	found bool // it came between Load and Forget
}

// Place is where the content was meant to go, from the mount's root.
func (e Entry) Place() string { return tree.MountPath(e.Path) }

// Unnamed begins the path of an entry that has none.
const Unnamed = "unnamed-"

// DamagedEnd ends the path that is no file's, of content that AddDamaged finds the path taken for.
const DamagedEnd = " (damaged)"

// olderEnd ends the path that is no file's, of content that AddOlder finds the path taken for.
const olderEnd = " (older)"

// Target is the path that content was meant for, of a path or a place of an entry.
func Target(path string) string {
	path = strings.TrimSuffix(path, DamagedEnd)
	for strings.HasSuffix(path, olderEnd) {
		path = strings.TrimSuffix(path, olderEnd)
	}
	return path
}

// EntryOf is an entry of failed/ for content of n; Store.mu must be held.
func EntryOf(n *tree.Node, size int64, reason error) Entry {
	base := n.Pub
	return Entry{Path: n.Path(), Reason: reason.Error(), Size: size, Mode: n.Permissions(), ModTime: n.Mtime.Time(),
		Unfinished: IsUnfinished(reason), Base: &base}
}

// Replaces reports whether a node, nil where none is, has other content than base,
// which was there before; Store.mu must be held.
func Replaces(n *tree.Node, base tree.Version) bool {
	if n == nil || n.Kind != inode.File || n.Local() {
		return false
	}
	return n.Dirty() || n.Pub.ID != 0 && (n.Pub.ID != base.ID || base.Differs(n.Pub))
}

// baseBytes is a version as the row of an entry keeps it, without its address.
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

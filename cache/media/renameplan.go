package media

import (
	"errors"
	"strings"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
	"paperfs/cache/media/waiter"
)

// move is a rename under way. Both names are locked.
type move struct {
	*Store
	name      string // the new one
	noReplace bool
	comm      string

	src, dir *tree.Node // what is moved, and where to
	from     tree.Link  // the name that it loses
	local    bool       // it stays local, or becomes so
	hides    bool       // the same, since what it goes to is scratch

	seen    tree.Version // of src at the service, when the rename began
	planned planned      // what is replaced
	caller  *waiter.Waiter
}

// errReplan tells that what a rename was planned on has changed, before it had any
// effect: its target became scratch, or went.
var errReplan = errors.New("the rename has to be planned again")

// commitLocked gives src its new name in the tree. What had the name before is
// returned, to be orphaned without locks; s.mu must be held.
func (m *move) commitLocked() (replaced *tree.Node) {
	replaced = m.dir.Children[m.name]
	if replaced == m.src {
		replaced = nil
	}
	if replaced != nil {
		m.removeLocked(replaced, tree.Link{Dir: m.dir, Name: m.name})
	}
	now := m.now()
	m.from.Dir.Mtime, m.from.Dir.Ctime = now, now
	m.keepLocked(m.from.Dir)
	m.src.Unname(m.from)
	switch {
	case m.local:
		m.setQueuedLocked(m.src, false)
		m.src.On(tree.Hidden)
	case m.src.Local():
		m.src.On(tree.Shown)
	}
	if replaced != nil && m.src.Kind == File && !m.local && m.src.Pub.ID == 0 {
		m.src.Pub = replaced.Pub // the service still has that under the name
		m.src.Written = true
		m.src.On(tree.ReplacedOther)
		m.indexLocked(m.src)
	}
	m.src.Ctime = now
	m.linkLocked(m.dir, m.name, m.src)
	return replaced
}

// way is what a rename takes.
type way int

const (
	nothing     way = iota
	here            // a change of the tree in memory
	queueing        // a scratch file becomes visible: it is queued
	sending         // a scratch file becomes visible: an upload
	leaving         // a scratch directory becomes visible: CreateDirectory, and what is in it is queued
	resending       // a published file: an upload and a deletion
	withdrawing     // a published file becomes scratch: a deletion
)

// planLocked checks everything that can be checked without a request; s.mu must be
// held.
func (m *move) planLocked(from Ino, name string, to Ino) (way, error) {
	var err error
	if m.src, err = m.childLocked(from, name); err != nil {
		return nothing, err
	}
	if m.dir, err = m.directoryLocked(to); err != nil {
		return nothing, err
	}
	m.from = tree.Link{Dir: m.nodes[from], Name: name}
	dst := m.dir.Children[m.name]
	if dst == m.src {
		return nothing, nil
	}
	m.planned = plannedOn(dst)
	if err := m.checkTargetLocked(dst); err != nil {
		return nothing, err
	}
	switch m.src.Kind {
	case Directory:
		return m.planDirLocked(dst)
	case File:
		return m.planFileLocked()
	}
	if !m.local {
		return nothing, localOnly(m.name, m.src.Kind)
	}
	return here, nil
}

// see notes what the service has of the file that is moved, as far as is known:
// what whoever renames it may have seen.
func (m *move) see(from Ino, name string) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if n, err := m.childLocked(from, name); err == nil {
		m.seen = n.Pub
	}
}

// stillLocked plans again where nothing was done yet, and fails where that is another way;
// s.mu must be held.
func (m *move) stillLocked(src *tree.Node, planned way) error {
	way, err := m.planLocked(m.from.Dir.Ino, m.from.Name, m.dir.Ino)
	if err == nil && (way != planned || m.src != src) {
		err = errReplan
	}
	return err
}

// checkTargetLocked checks the new name and what has it now.
func (m *move) checkTargetLocked(dst *tree.Node) error {
	replacesPublished := dst != nil && dst.AtService()
	m.local, m.hides = m.scratchLocked(m.dir, m.name, m.comm) && !replacesPublished, m.dir.Local()
	switch {
	case m.dir.Parent == nil && m.dir != m.root:
		return refusal.NoSuchFile(m.name)
	case dst != nil && m.noReplace:
		return refusal.NameTaken(m.name)
	case len(m.name) > tree.LongestName:
		return &Error{Kind: TooLong, Name: m.name, Detail: "the name is longer than 255 bytes"}
	case dst == nil:
	case m.src.Kind == Directory && dst.Kind != Directory:
		return &Error{Kind: NotDirectory, Name: m.name, Detail: "not a directory"}
	case m.src.Kind != Directory && dst.Kind == Directory:
		return &Error{Kind: IsDirectory, Name: m.name, Detail: "a directory"}
	case len(dst.Children) > 0:
		return &Error{Kind: NotEmpty, Name: m.name, Detail: "the directory is not empty"}
	}
	if m.local {
		return nil
	}
	if err := tree.CheckName(m.name); err != nil {
		return err
	}
	if !m.src.Local() && m.dir == m.from.Dir && strings.EqualFold(m.name, m.from.Name) {
		return refusal.NotSupported(m.name, "the service does not tell upper from lower case, so only the case of a name cannot be changed")
	}
	return m.dir.Clashes(m.name, false, m.src)
}

func (m *move) planDirLocked(dst *tree.Node) (way, error) {
	switch {
	case m.dir.Within(m.src):
		return nothing, &Error{Kind: Invalid, Name: m.name, Detail: "a directory cannot be moved into itself"}
	case m.src.ID != 0:
		return nothing, refusal.NotSupported(m.src.Name, "the service cannot rename or move a directory")
	case dst != nil && dst.ID != 0:
		return nothing, refusal.NotSupported(m.name, "a directory at the service cannot be replaced")
	case m.local, !m.src.Local():
		return here, nil
	}
	_, err := m.visibleLocked(m.src)
	return leaving, err
}

func (m *move) planFileLocked() (way, error) {
	switch {
	case m.src.Local() && m.local, m.src.Pub.ID == 0 && !m.src.Local():
		return here, nil
	case m.src.Local() && m.queuesLocked():
		return queueing, nil
	case m.src.Local():
		return sending, nil
	case !m.o.AllowDelete:
		return nothing, refusal.NotSupported(m.src.Name, "the service cannot rename; a rename is an upload and a deletion, and nothing is deleted unless the mount was started with --allow-delete")
	case m.tree.notOffered:
		return nothing, refusal.NotSupported(m.src.Name, "the service can neither rename nor delete")
	case m.local:
		return withdrawing, nil
	}
	return resending, nil
}

// queuesLocked reports whether what becomes visible is queued; m.mu must be held.
func (m *move) queuesLocked() bool { return m.o.WriteBack || !m.dir.Made() }

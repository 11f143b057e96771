package media

import (
	"errors"
	"strings"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/waiter"
)

// move is a rename under way. Both places are locked.
type move struct {
	*Store
	name      string // the new one
	noReplace bool
	comm      string

	src, dir *node // what is moved, and where to
	from     link  // the name that it loses
	local    bool  // it stays local, or becomes so
	hides    bool  // the same, since what it goes to is scratch

	seen    version // of src at the service, when the rename began
	planned planned // what is replaced
	caller  *waiter.Waiter
}

// errReplan tells that what a rename was planned on has changed, before it had any
// effect: its target became scratch, or went.
var errReplan = errors.New("the rename has to be planned again")

// commitLocked gives src its new name in the tree. What had the name before is
// returned, to be orphaned without locks; s.mu must be held.
func (m *move) commitLocked() (replaced *node) {
	replaced = m.dir.children[m.name]
	if replaced == m.src {
		replaced = nil
	}
	if replaced != nil {
		m.removeLocked(replaced, link{m.dir, m.name})
	}
	now := m.now()
	m.from.dir.mtime, m.from.dir.ctime = now, now
	m.keepLocked(m.from.dir)
	m.src.unname(m.from)
	switch {
	case m.local:
		m.setQueuedLocked(m.src, false)
		m.src.on(hidden)
	case m.src.local():
		m.src.on(shown)
	}
	if replaced != nil && m.src.kind == File && !m.local && m.src.pub.id == 0 {
		m.src.pub = replaced.pub // the service still holds that under the name
		m.src.written = true
		m.src.on(replacedOther)
		m.indexLocked(m.src)
	}
	m.src.ctime = now
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
	m.from = link{m.nodes[from], name}
	dst := m.dir.children[m.name]
	if dst == m.src {
		return nothing, nil
	}
	m.planned = plannedOn(dst)
	if err := m.checkTargetLocked(dst); err != nil {
		return nothing, err
	}
	switch m.src.kind {
	case Directory:
		return m.planDirLocked(dst)
	case File:
		return m.planFileLocked()
	}
	if !m.local {
		return nothing, localOnly(m.name, m.src.kind)
	}
	return here, nil
}

// see notes what the service has of the file that is moved, as far as is known:
// what whoever renames it may have seen.
func (m *move) see(from Ino, name string) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if n, err := m.childLocked(from, name); err == nil {
		m.seen = n.pub
	}
}

// stillLocked plans again where nothing was done yet, and fails where that is another way;
// s.mu must be held.
func (m *move) stillLocked(src *node, planned way) error {
	way, err := m.planLocked(m.from.dir.ino, m.from.name, m.dir.ino)
	if err == nil && (way != planned || m.src != src) {
		err = errReplan
	}
	return err
}

// checkTargetLocked checks the new name and what has it now.
func (m *move) checkTargetLocked(dst *node) error {
	replacesPublished := dst != nil && dst.atService()
	m.local, m.hides = m.scratchLocked(m.dir, m.name, m.comm) && !replacesPublished, m.dir.local()
	switch {
	case m.dir.parent == nil && m.dir != m.root:
		return refusal.NoSuchFile(m.name)
	case dst != nil && m.noReplace:
		return refusal.NameTaken(m.name)
	case len(m.name) > longestName:
		return &Error{Kind: TooLong, Name: m.name, Detail: "the name is longer than 255 bytes"}
	case dst == nil:
	case m.src.kind == Directory && dst.kind != Directory:
		return &Error{Kind: NotDirectory, Name: m.name, Detail: "not a directory"}
	case m.src.kind != Directory && dst.kind == Directory:
		return &Error{Kind: IsDirectory, Name: m.name, Detail: "a directory"}
	case len(dst.children) > 0:
		return &Error{Kind: NotEmpty, Name: m.name, Detail: "the directory is not empty"}
	}
	if m.local {
		return nil
	}
	if err := checkName(m.name); err != nil {
		return err
	}
	if !m.src.local() && m.dir == m.from.dir && strings.EqualFold(m.name, m.from.name) {
		return refusal.NotSupported(m.name, "the service does not tell upper from lower case, so only the case of a name cannot be changed")
	}
	return m.dir.clashes(m.name, false, m.src)
}

func (m *move) planDirLocked(dst *node) (way, error) {
	switch {
	case m.dir.within(m.src):
		return nothing, &Error{Kind: Invalid, Name: m.name, Detail: "a directory cannot be moved into itself"}
	case m.src.id != 0:
		return nothing, refusal.NotSupported(m.src.name, "the service cannot rename or move a directory")
	case dst != nil && dst.id != 0:
		return nothing, refusal.NotSupported(m.name, "a directory at the service cannot be replaced")
	case m.local, !m.src.local():
		return here, nil
	}
	_, err := m.visibleLocked(m.src)
	return leaving, err
}

func (m *move) planFileLocked() (way, error) {
	switch {
	case m.src.local() && m.local, m.src.pub.id == 0 && !m.src.local():
		return here, nil
	case m.src.local() && m.queuesLocked():
		return queueing, nil
	case m.src.local():
		return sending, nil
	case !m.o.AllowDelete:
		return nothing, refusal.NotSupported(m.src.name, "the service cannot rename; a rename is an upload and a deletion, and nothing is deleted unless the mount was started with --allow-delete")
	case m.tree.notOffered:
		return nothing, refusal.NotSupported(m.src.name, "the service can neither rename nor delete")
	case m.local:
		return withdrawing, nil
	}
	return resending, nil
}

// queuesLocked reports whether what becomes visible is queued; m.mu must be held.
func (m *move) queuesLocked() bool { return m.o.WriteBack || !m.dir.made() }

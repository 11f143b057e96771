package media

import (
	"cmp"
	"context"
	"errors"

	"paperfs/cache/content/tree"
	"paperfs/cache/media/plan"
)

// renaming is a rename in progress. Both names are locked.
type renaming struct {
	*Store
	plan.Rename

	pdf     *PDF            // what is known of the PDF that Src becomes; nil: it becomes none
	busy    error           // why the PDF is queued: the paper has another one in processing
	held    func() bool     // reports whether a program has Src open for writing, whose close sends the PDF
	seen    tree.Version    // version of Src when the rename began
	planned planned         // the file to be replaced
	newest  Ino             // the last inode at the call
	caller  context.Context // ends when the caller leaves
	moves   bool            // the service is asked to move it, and sees itself whether the name is free

}

// errReplan says that the basis of a plan changed before the rename had any effect: the target
// became scratch, or was removed.
var errReplan = errors.New("the rename has to be planned again")

// commitLocked gives Src its new name in the tree and returns the node that had the name
// before, for orphan to be called without locks; s.mu must be held.
func (m *renaming) commitLocked() (replaced *tree.Node) {
	replaced = m.Dir.Children[m.Name]
	if replaced == m.Src {
		replaced = nil
	}
	if replaced != nil {
		m.removeLocked(replaced, tree.Link{Dir: m.Dir, Name: m.Name})
	}
	now := m.now()
	m.From.Dir.Mtime, m.From.Dir.Ctime = now, now
	m.saveLocked(m.From.Dir)
	m.Src.Unname(m.From)
	if m.Src.Theirs.ID != 0 { // the old name shows it now
		m.versionsLocked(m.Src, m.Src.Pub, tree.Version{})
		m.getTree.stale = true
	}
	switch {
	case m.Local:
		m.setQueuedLocked(m.Src, false)
		m.Src.On(tree.Hidden)
	case m.Src.Local():
		m.Src.On(tree.Shown)
	}
	if replaced != nil && m.Src.Kind == File && !m.Local && m.Src.Pub.ID == 0 {
		m.versionsLocked(m.Src, replaced.Pub, replaced.Theirs) // the service still has that version under the name
		m.Src.Own().Changed = replaced.Changed                 // an older answer of GetTree does not say so
		m.Src.Written = true
		m.Src.On(tree.ReplacedOther)
	}
	m.Src.Ctime = now
	m.linkLocked(m.Dir, m.Name, m.Src)
	return replaced
}

// planLocked makes all checks that need no request, and returns the way; s.mu must be held.
func (m *renaming) planLocked(from Ino, name string, to Ino) (way plan.Way, err error) {
	if m.Src, err = m.childLocked(from, name); err != nil {
		return plan.Nothing, err
	}
	if m.Dir, err = m.directoryLocked(to); err != nil {
		return plan.Nothing, err
	}
	m.From = tree.Link{Dir: m.nodes[from], Name: name}
	dst := m.Dir.Children[m.Name]
	if !m.appearedLocked(dst) {
		m.planned = plannedOn(dst)
	} else if !m.NoReplace {
		return plan.Nothing, errNewer(dst.Path())
	}
	if err := cmp.Or(m.unseenLocked(m.Src), m.unseenLocked(dst)); err != nil {
		return plan.Nothing, err
	}
	return m.Way(m.rulesLocked())
}

// rulesLocked returns the rules of this mount; s.mu must be held.
func (s *Store) rulesLocked() plan.Rules {
	offers, known := s.o.Service.Offers()
	return plan.Rules{Root: s.root, Names: s.o.Names, AllowDelete: s.o.AllowDelete, WriteBack: s.o.WriteBack, NoTree: s.getTree.notOffered != nil,
		Moves: offers.Moves || !known}
}

// noteShown records what the new name shows when the rename is called.
func (m *renaming) noteShown(to Ino) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	m.newest = m.lastIno
	if n, err := m.childLocked(to, m.Name); err == nil {
		m.planned = plannedOn(n)
	}
}

// appearedLocked reports whether others have put the version of dst, which may be nil, there since the call: it has an
// inode of its own, which no program here has written. m.mu must be held.
func (m *renaming) appearedLocked(dst *tree.Node) bool {
	return dst != nil && dst.Kind == File && dst.Ino > m.newest && dst.Writes == 0 && m.differsLocked()
}

// noteSeen records the version of the file that is renamed, as far as it is known: the caller
// of the rename may have seen it.
func (m *renaming) noteSeen(from Ino, name string) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if n, err := m.childLocked(from, name); err == nil {
		m.seen = n.Pub
	}
}

// stillLocked plans again, before anything was done, and fails if the plan has changed; s.mu
// must be held.
func (m *renaming) stillLocked(src *tree.Node, planned plan.Way) error {
	way, err := m.planLocked(m.From.Dir.Ino, m.From.Name, m.Dir.Ino)
	if err == nil && (way != planned || m.Src != src) {
		err = errReplan
	}
	return err
}

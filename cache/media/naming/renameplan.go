package naming

import (
	"cmp"
	"context"
	"errors"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/reconcile"
)

// renaming is a rename in progress. Both names are locked.
type renaming struct {
	*Naming
	plan.Rename

	pdf     *tree.PDF       // what is known of the PDF that Src becomes; nil: it becomes none
	busy    error           // why the PDF is queued: the paper has another one in processing
	held    func() bool     // reports whether a program has Src open for writing, whose close sends the PDF
	seen    tree.Version    // version of Src when the rename began
	planned planned         // the file to be replaced
	newest  inode.Ino       // the last inode at the call
	caller  context.Context // ends when the caller leaves
	moves   bool            // the service is asked to move it, and sees itself whether the name is free

}

// errReplan says that the basis of a plan changed before the rename had any effect: the target
// became scratch, or was removed.
var errReplan = errors.New("the rename has to be planned again")

// commitLocked gives Src its new name in the tree and returns the node that had the name
// before, for DropRemoved to be called without locks; Tree.Mu must be held.
func (m *renaming) commitLocked() (replaced *tree.Node) {
	replaced = m.Dir.Children[m.Name]
	if replaced == m.Src {
		replaced = nil
	}
	if replaced != nil {
		m.names.RemoveLocked(replaced, tree.Link{Dir: m.Dir, Name: m.Name})
	}
	now := m.names.Now()
	m.From.Dir.Mtime, m.From.Dir.Ctime = now, now
	m.names.SaveLocked(m.From.Dir)
	m.Src.Unname(m.From)
	if m.Src.Theirs.ID != 0 { // the old name shows it now
		m.names.VersionsLocked(m.Src, m.Src.Pub, tree.Version{})
		m.names.GetTree.Stale = true
	}
	switch {
	case m.Local:
		m.names.SetQueuedLocked(m.Src, false)
		m.Src.On(tree.Hidden)
	case m.Src.Local():
		m.Src.On(tree.Shown)
	}
	if replaced != nil && m.Src.Kind == inode.File && !m.Local && m.Src.Pub.ID == 0 {
		m.names.VersionsLocked(m.Src, replaced.Pub, replaced.Theirs) // the service still has that version under the name
		m.Src.Own().Changed = replaced.Changed                       // an older answer of GetTree does not say so
		m.Src.Written = true
		m.Src.On(tree.ReplacedOther)
	}
	m.Src.Ctime = now
	m.names.LinkLocked(m.Dir, m.Name, m.Src)
	return replaced
}

// planLocked makes all checks that need no request, and returns the way; Tree.Mu must be held.
func (m *renaming) planLocked(from inode.Ino, name string, to inode.Ino) (way plan.Way, err error) {
	if m.Src, err = m.names.ChildLocked(from, name); err != nil {
		return plan.Nothing, err
	}
	if m.Dir, err = m.names.DirectoryLocked(to); err != nil {
		return plan.Nothing, err
	}
	m.From = tree.Link{Dir: m.names.Nodes[from], Name: name}
	dst := m.Dir.Children[m.Name]
	if !m.appearedLocked(dst) {
		m.planned = plannedOn(dst)
	} else if !m.NoReplace {
		return plan.Nothing, reconcile.ErrNewer(dst.Path())
	}
	if err := cmp.Or(m.reconciler.ProtectedLocked(m.Src), m.reconciler.ProtectedLocked(dst)); err != nil {
		return plan.Nothing, err
	}
	return m.Way(m.rulesLocked())
}

// rulesLocked returns the rules of this mount; Tree.Mu must be held.
func (s *Naming) rulesLocked() plan.Rules {
	offers, known := s.o.Service.Offers()
	return plan.Rules{Root: s.names.Root, Names: s.o.Names, AllowDelete: s.o.AllowDelete, WriteBack: s.o.WriteBack, NoTree: s.names.GetTree.NotOffered != nil,
		Moves: offers.Moves || !known}
}

// noteShown records what the new name shows when the rename is called.
func (m *renaming) noteShown(to inode.Ino) {
	m.names.Mu.RLock()
	defer m.names.Mu.RUnlock()
	m.newest = m.names.LastIno
	if n, err := m.names.ChildLocked(to, m.Name); err == nil {
		m.planned = plannedOn(n)
	}
}

// appearedLocked reports whether others have put the version of dst, which may be nil, there since the call: it has an
// inode of its own, which no program here has written. Tree.Mu must be held.
func (m *renaming) appearedLocked(dst *tree.Node) bool {
	return dst != nil && dst.Kind == inode.File && dst.Ino > m.newest && dst.Writes == 0 && m.differsLocked()
}

// noteSeen records the version of the file that is renamed, as far as it is known: the caller
// of the rename may have seen it.
func (m *renaming) noteSeen(from inode.Ino, name string) {
	m.names.Mu.RLock()
	defer m.names.Mu.RUnlock()
	if n, err := m.names.ChildLocked(from, name); err == nil {
		m.seen = n.Pub
	}
}

// stillLocked plans again, before anything was done, and fails if the plan has changed; Mu
// must be held.
func (m *renaming) stillLocked(src *tree.Node, planned plan.Way) error {
	way, err := m.planLocked(m.From.Dir.Ino, m.From.Name, m.Dir.Ino)
	if err == nil && (way != planned || m.Src != src) {
		err = errReplan
	}
	return err
}

// A rename replaces the version that its new name showed when it was planned, and no other.

// replacing returns the target of a rename's upload or move, with the version that it has to replace. Where the service
// compares none, or its version is not known, replacing reads the tree first if that is older than Options.StrictTTL,
// and fails with Newer if the service has another version under the new name than the rename was planned to replace.
func (m *renaming) replacing(ctx context.Context) (at names.Target, err error) {
	if m.planned.shown.ID != 0 {
		if err := m.reconciler.SeeNewest(ctx, m.planned.shown); err != nil {
			return at, err
		}
	}
	m.names.Mu.RLock()
	defer m.names.Mu.RUnlock()
	at = names.TargetIn(m.Dir, m.Name)
	at.Base = m.reconciler.BaseLocked(tree.Version{})
	switch dst := m.Dir.Children[m.Name]; {
	case m.differsLocked() && m.NoReplace:
		return at, refusal.NameTaken(m.Name)
	case m.differsLocked():
		return at, reconcile.ErrNewer(dst.Path())
	case dst != nil:
		at.Base = m.reconciler.BaseLocked(dst.Latest()) // rows do not have the mark
	}
	return at, nil
}

// differsLocked reports whether the service is known to have another version under the new name than the one that the
// rename was planned to replace; Tree.Mu must be held.
func (m *renaming) differsLocked() bool {
	dst, shown := m.Dir.Children[m.Name], m.planned.shown
	return dst != nil && dst.Latest().ID != 0 && (shown.ID == 0 || shown.Differs(dst.Latest()))
}

package reconcile

import (
	"context"
	"errors"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/remote"
)

// RequireSeen fails with Superseded if the service has another version under a name than the content
// of n was begun on. It returns what the upload has to require: the service compares that. Where it does not,
// RequireSeen reads the tree first if that is older than Options.StrictTTL; before the first
// GetTree of a mount, a new name counts as free. If the other version is that content, it makes no
// difference whose it is. It fails with ErrElsewhere if n has another name than at by now.
func (s *Reconciler) RequireSeen(ctx context.Context, n *tree.Node, at names.Target, content *spool.Content) (base remote.Version, err error) {
	s.names.Mu.RLock()
	pub, asks := n.Pub, n.Pub.ID != 0 || !s.names.GetTree.Fetched.IsZero()
	verified := s.names.UnsureLocked(journal.NameAt(at.Dir.ID, at.Name)) && !s.names.GetTree.Asked.IsZero() // uploadTo looks after it
	s.names.Mu.RUnlock()
	if asks && !verified {
		if err := s.SeeNewest(ctx, pub); err != nil {
			return 0, err
		}
	}
	s.names.Mu.RLock()
	theirs, path, elsewhere := n.Theirs, n.Path(), n.Parent != nil && !n.Named(at.Dir.Ino, at.Name)
	base, now, clash := s.BaseLocked(n.Pub), s.BaseLocked(theirs), at.Dir.Clashes(at.Name, false, n)
	s.names.Mu.RUnlock()
	switch {
	case elsewhere:
		return 0, ErrElsewhere
	case theirs.ID == 0:
		return base, clash
	case theirs.SHA256.Known() && (theirs.Size < 0 || theirs.Size == content.Length) && theirs.SHA256 == content.SHA256():
		return now, nil
	}
	return 0, errConflict(path)
}

// restoring is how long after a change that failed, because others have changed the file, their version can
// only be read. When a close fails, editors (vim) at once put a backup of what the file held before in its
// place, unasked; mv, when a rename that must not replace fails, tries one that does. A person looks first.
const Protection = 5 * time.Second

// ProtectedLocked returns an error if nobody can have looked yet at the version of n, which may be nil, that
// others have put in the place of content from here; Tree.Mu must be held.
func (s *Reconciler) ProtectedLocked(n *tree.Node) error {
	if n == nil || n.Protected.IsZero() || n.Dirty() || s.o.Now().Sub(n.Protected).Abs() >= Protection {
		return nil
	}
	return &refusal.Error{Kind: refusal.Newer, Name: n.Path(), Detail: "somebody else has put this version there on the service, which has just kept a program here from replacing it, so for a few seconds it can only be read; check it and try again"}
}

// ProtectLocked records that nobody can have looked yet at what the name of n turned out to hold; Tree.Mu must be held. A change that is
// refused by ProtectedLocked does not get here, so no refusal prolongs another.
func (s *Reconciler) ProtectLocked(n *tree.Node) {
	if n.AtService() {
		n.Own().Protected = s.o.Now()
	}
}

func errConflict(path string) error {
	return &refusal.Error{Kind: refusal.Superseded, Name: path, Detail: "somebody else has changed it on the service, or `paperfs undo` has, since this content was begun, so it was not replaced; " +
		"this content goes to .paperfs/failed, and `paperfs retry --over` replaces the other"}
}

// Hiding returns why the service refused n, after the tree was read: n may hide what others have made there.
func (s *Reconciler) Hiding(n *tree.Node, err error) error {
	if !cause.ForGood(err) {
		return err
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	if !s.HidesLocked(n) {
		return err
	}
	s.names.GetTree.Stale = true // the name shows it next
	what := map[inode.FileKind]string{inode.File: "directory", inode.Directory: "file"}[n.Kind]
	return &refusal.Error{Kind: refusal.Superseded, Name: n.Path(), Detail: "somebody else has made a " + what + " of this name on the service; what was written here goes to .paperfs/failed, and mv takes it from there to another name"}
}

// LookForNewer reads the tree, if it is older than Options.StrictTTL, before a program keeps a part of published content. If it
// keeps none, it does so where the service will compare a version that is not known: a mount's state does not have what an upload
// needs for that, nor does a mount know what an upload did whose answer was lost. A failure is no error: the upload looks again.
func (s *Reconciler) LookForNewer(ctx context.Context, ino inode.Ino, keeps bool) error {
	if !s.KnowsNewest(ino, keeps) {
		_ = s.requireAnswer(ctx)
	}
	return ctx.Err()
}

// KnowsNewest reports whether LookForNewer would return without a look.
func (s *Reconciler) KnowsNewest(ino inode.Ino, keeps bool) bool {
	offers, known := s.o.Service.Offers()
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	n := s.names.Nodes[ino]
	return n == nil || n.Parent == nil || n.Pub.ID == 0 || n.PDF != nil || n.Dirty() || n.Blank || s.o.WriteBack && s.silentLocked() ||
		!keeps && (known && !offers.Versions || n.Pub.Mark != 0 && !s.names.UnsureLocked(journal.NameAt(n.Parent.ID, n.Name)))
}

// Conflict fails if others are known to have put another version under the name of n than its
// content was begun on.
func (s *Reconciler) Conflict(n *tree.Node) error {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	if n.Theirs.ID == 0 || n.Parent == nil || n.Local() {
		return nil
	}
	return errConflict(n.Path())
}

// ErrElsewhere says that the service has moved a file before anything was sent to its old name.
var ErrElsewhere = errors.New("the file has another name by now")

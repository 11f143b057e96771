package media

import (
	"context"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// Nobody's version is overwritten unseen. While a file has local content that the service lacks,
// Pub stays the version that this content was begun on, also in its row, and Theirs is what others
// have put under its name since. An upload that would replace Theirs fails: it requires Pub where the service compares
// versions, and elsewhere a look at the tree comes first.

// noteTheirsLocked records that the service has v under the name of n, whose local content was begun
// on another version; s.mu must be held. If v may come from an upload of this mount whose outcome is unknown, it
// counts as the version that the content was begun on.
func (s *Store) noteTheirsLocked(n *tree.Node, v tree.Version) {
	if sent, unsure := s.unknown[journal.NameAt(n.Parent.ID, n.Name)]; unsure && sent.Has(v.SHA256) {
		s.versionsLocked(n, v, tree.Version{})
		s.saveLocked(n)
	} else {
		s.versionsLocked(n, n.Pub, v)
	}
}

// requireSeen fails with Superseded if the service has another version under a name than the content
// of n was begun on. It returns what the upload has to require: the service compares that. Where it does not,
// requireSeen reads the tree first if that is older than Options.StrictTTL; before the first
// GetTree of a mount, a new name counts as free. If the other version is that content, it makes no
// difference whose it is. It fails with errElsewhere if n has another name than at by now.
func (s *Store) requireSeen(ctx context.Context, n *tree.Node, at target, content *spool.Content) (base remote.Version, err error) {
	s.mu.RLock()
	pub, asks := n.Pub, n.Pub.ID != 0 || !s.getTree.fetched.IsZero()
	verified := s.unsureLocked(journal.NameAt(at.dir.ID, at.name)) && !s.getTree.asked.IsZero() // uploadTo looks after it
	s.mu.RUnlock()
	if asks && !verified {
		if err := s.seeNewest(ctx, pub); err != nil {
			return 0, err
		}
	}
	s.mu.RLock()
	theirs, path, elsewhere := n.Theirs, n.Path(), n.Parent != nil && !n.Named(at.dir.Ino, at.name)
	base, now, clash := s.baseLocked(n.Pub), s.baseLocked(theirs), at.dir.Clashes(at.name, false, n)
	s.mu.RUnlock()
	switch {
	case elsewhere:
		return 0, errElsewhere
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
const restoring = 5 * time.Second

// unseenLocked returns an error if nobody can have looked yet at the version of n, which may be nil, that
// others have put in the place of content from here; s.mu must be held.
func (s *Store) unseenLocked(n *tree.Node) error {
	if n == nil || n.Unseen.IsZero() || n.Dirty() || s.o.Now().Sub(n.Unseen).Abs() >= restoring {
		return nil
	}
	return &Error{Kind: Newer, Name: n.Path(), Detail: "somebody else has put this version there on the service, which has just kept a program here from replacing it, so for a few seconds it can only be read; check it and try again"}
}

// unseenNowLocked records that nobody can have looked yet at what the name of n turned out to hold; s.mu must be held. A change that is
// refused by unseenLocked does not get here, so no refusal prolongs another.
func (s *Store) unseenNowLocked(n *tree.Node) {
	if n.AtService() {
		n.Own().Unseen = s.o.Now()
	}
}

func errConflict(path string) error {
	return &Error{Kind: Superseded, Name: path, Detail: "somebody else has changed it on the service, or `paperfs undo` has, since this content was begun, so it was not replaced; " +
		"this content goes to .paperfs/failed, and `paperfs retry --over` replaces the other"}
}

// hiding returns why the service refused n, after the tree was read: n may hide what others have made there.
func (s *Store) hiding(n *tree.Node, err error) error {
	if !cause.ForGood(err) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hidesLocked(n) {
		return err
	}
	s.getTree.stale = true // the name shows it next
	what := map[FileKind]string{File: "directory", Directory: "file"}[n.Kind]
	return &Error{Kind: Superseded, Name: n.Path(), Detail: "somebody else has made a " + what + " of this name on the service; what was written here goes to .paperfs/failed, and mv takes it from there to another name"}
}

// LookForNewer reads the tree, if it is older than Options.StrictTTL, before a program keeps a part of published content. If it
// keeps none, it does so where the service will compare a version that is not known: a mount's state does not have what an upload
// needs for that, nor does a mount know what an upload did whose answer was lost. A failure is no error: the upload looks again.
func (s *Store) LookForNewer(ctx context.Context, ino Ino, keeps bool) error {
	if !s.KnowsNewest(ino, keeps) {
		_ = s.requireAnswer(ctx)
	}
	return ctx.Err()
}

// KnowsNewest reports whether LookForNewer would return without a look.
func (s *Store) KnowsNewest(ino Ino, keeps bool) bool {
	offers, known := s.o.Service.Offers()
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.nodes[ino]
	return n == nil || n.Parent == nil || n.Pub.ID == 0 || n.PDF != nil || n.Dirty() || n.Blank || s.o.WriteBack && s.silentLocked() ||
		!keeps && (known && !offers.Versions || n.Pub.Mark != 0 && !s.unsureLocked(journal.NameAt(n.Parent.ID, n.Name)))
}

// conflict fails if others are known to have put another version under the name of n than its
// content was begun on.
func (s *Store) conflict(n *tree.Node) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.Theirs.ID == 0 || n.Parent == nil || n.Local() {
		return nil
	}
	return errConflict(n.Path())
}

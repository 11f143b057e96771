package media

import (
	"context"
	"time"

	"paperfs/cache/media/cause"
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// sendDir makes a directory at the service unless it is there.
func (s *Store) sendDir(ctx context.Context, n *tree.Node) error {
	unlock := s.lockNode(n)
	defer unlock()
	s.mu.Lock()
	parent, name := n.Parent, n.Name
	needless := parent == nil || n.Local() || n.ID != 0
	if !needless {
		n.Own().Making++
	}
	s.mu.Unlock()
	if needless {
		return nil
	}
	defer func() {
		s.mu.Lock()
		n.Making--
		s.mu.Unlock()
	}()
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	s.mu.RLock()
	in := parent.ID
	s.mu.RUnlock()
	id, err := s.makeThere(ctx, in, name)
	if cause.ForGood(err) {
		id, err = s.lookForDir(ctx, n, err)
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.madeLocked(n, id)
	s.setQueuedLocked(n, false)
	upto := s.saveLocked(n)
	s.arrivedLocked(n)
	s.mu.Unlock()
	return s.journal.WaitSynced(upto)
}

// makeThere makes a directory at the service. One that cannot be made may be there:
// others have made it, or this had its effect without an answer.
func (s *Store) makeThere(ctx context.Context, parent int64, name string) (int64, error) {
	id, err := s.o.Service.CreateDirectory(ctx, parent, name)
	if err != nil {
		s.Forget()
	}
	return id, err
}

// madeLocked notes that the service has n, a directory, by an id; s.mu must be held.
// Another that is known by it went when a backup of the service was restored: the next
// tree takes it out, or it is made again for what is written in it.
func (s *Store) madeLocked(n *tree.Node, id int64) {
	if other := s.dirs[id]; other != nil && other != n {
		other.ID = 0
		s.saveLocked(other)
		s.tree.stale = true
	}
	n.ID = id
	s.indexLocked(n)
	s.serial++
	n.Own().Changed = s.serial
}

// looksApart is how long after a look at the service's tree a refusal asks for no other.
const looksApart = 10 * time.Second

// goneThere reports whether an upload was refused because the service does not have the
// directory any more: others deleted it, or a backup of the service was restored.
func (s *Store) goneThere(ctx context.Context, at target, refused error) bool {
	s.mu.RLock()
	recent := s.tree.notOffered || s.o.Now().Sub(s.tree.fetched) < looksApart
	s.mu.RUnlock()
	if at.id == 0 || recent || !cause.ForGood(refused) || s.Refresh(ctx) != nil {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return at.dir.ID != at.id && at.dir.Parent != nil
}

// lookForDir looks whether a directory that could not be made, with refusal,
// is there because others have made it.
func (s *Store) lookForDir(ctx context.Context, n *tree.Node, refusal error) (int64, error) {
	if err := s.Refresh(ctx); err != nil {
		return 0, refusal
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.ID == 0 {
		return 0, refusal
	}
	return n.ID, nil
}

// makeDirs has the service know dir and all that it lies in. The name of
// something in it may be locked.
func (s *Store) makeDirs(ctx context.Context, dir *tree.Node) error {
	s.mu.RLock()
	made, gone, parent := dir.Made(), dir.Parent == nil || dir.Local(), dir.Parent
	s.mu.RUnlock()
	switch {
	case made:
		return nil
	case gone: // or became scratch: what was in it must not go elsewhere
		return refusal.NoSuchFile(dir.Name)
	}
	if err := s.makeDirs(ctx, parent); err != nil {
		return err
	}
	if err := s.sendDir(ctx, dir); err != nil {
		return err
	}
	return s.makeDirs(ctx, dir)
}

// target is where an upload goes.
type target struct {
	dir  *tree.Node
	id   int64  // of dir at the service
	name string // as asked for; the service keeps the spelling of a file it has
	path string // below media/, for people
}

// targetIn is where to upload a file called name in dir; Store.mu must be held.
func targetIn(dir *tree.Node, name string) target {
	return target{dir: dir, id: dir.ID, name: name, path: (&tree.Node{Parent: dir, Name: name}).Path()}
}

// here is the name of a target.
func (at target) here() namelock.Name { return namelock.Of(at.dir.Ino, at.name) }

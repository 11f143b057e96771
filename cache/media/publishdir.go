package media

import (
	"context"
	"path"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// sendDir creates a directory at the service unless it exists.
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
	id, err := s.createDir(ctx, in, name)
	if cause.ForGood(err) {
		id, err = s.findCreatedDir(ctx, n, err)
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.madeLocked(n, id)
	s.setQueuedLocked(n, false)
	upto := s.saveLocked(n)
	s.offerChildrenLocked(n)
	s.mu.Unlock()
	return s.journal.WaitSynced(upto)
}

// createDir creates a directory at the service. After an error the directory may still exist:
// others created it, or the request took effect without an answer.
func (s *Store) createDir(ctx context.Context, parent int64, name string) (int64, error) {
	if err := s.journal.Able(); err != nil {
		return 0, err
	}
	id, err := s.o.Service.CreateDirectory(ctx, parent, name)
	if err != nil {
		s.Forget()
	}
	return id, err
}

// madeLocked records the service's id of directory n; s.mu must be held. If another directory
// has that id, a backup of the service was restored: the next GetTree removes that directory,
// or it is created again for content in it.
func (s *Store) madeLocked(n *tree.Node, id int64) {
	if other := s.dirs[id]; other != nil && other != n {
		other.ID = 0
		s.saveLocked(other)
		s.getTree.stale = true
	}
	n.ID = id
	s.indexLocked(n)
	s.serial++
	n.Own().Changed = s.serial
}

// minCheckInterval is how long the check after a refused upload counts for later refusals in the
// same directory.
const minCheckInterval = 10 * time.Second

// dirDeletedAtService reports whether an upload was refused because its directory no longer
// exists at the service: others deleted it, or a backup of the service was restored. A GetTree
// that began before the refusal counts only if it lacks the directory. Uploads that are refused
// together share one.
func (s *Store) dirDeletedAtService(ctx context.Context, at target, refused error) bool {
	if !cause.ForGood(refused) || cause.Conflict(refused) {
		return false
	}
	since := s.aging()
	gone, checked := s.lacks(at)
	if gone || checked {
		return gone
	}
	if s.flights.Since(time.Time{}, func() bool { return true }, nil).Await(ctx) == nil { // the one in progress, if there is one
		if gone, _ = s.lacks(at); gone {
			return true
		}
	}
	if s.patiently(ctx, s.flights.Since(since, nil, s.patientTree)) != nil {
		return false
	}
	s.mu.Lock()
	at.dir.Own().Checked = since
	s.mu.Unlock()
	gone, _ = s.lacks(at)
	return gone
}

// lacks reports whether the service no longer has the directory of a target, and whether that is
// known without another GetTree.
func (s *Store) lacks(at target) (gone, checked bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	gone = (at.dir.ID != at.id || at.dir.Changed != at.made) && at.dir.Parent != nil
	checked = !at.dir.Checked.IsZero() && s.aging().Sub(at.dir.Checked) < minCheckInterval
	return gone, checked
}

// findCreatedDir returns the id of a directory that others have created, after its creation failed
// with refusal.
func (s *Store) findCreatedDir(ctx context.Context, n *tree.Node, refusal error) (int64, error) {
	if err := s.refreshPatiently(ctx); err != nil {
		return 0, refusal
	}
	s.mu.RLock()
	id := n.ID
	s.mu.RUnlock()
	if id == 0 {
		return 0, s.hiding(n, refusal)
	}
	return id, nil
}

// makeDirs creates dir and its parents at the service. The caller may hold the lock of a name
// in dir.
func (s *Store) makeDirs(ctx context.Context, dir *tree.Node) error {
	s.mu.RLock()
	made, gone, parent := dir.Made(), dir.Parent == nil || dir.Local(), dir.Parent
	s.mu.RUnlock()
	switch {
	case made:
		return nil
	case gone: // or became scratch: its contents must not be sent elsewhere
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

// target is the destination of an upload.
type target struct {
	dir  *tree.Node
	id   int64          // of dir at the service
	made uint64         // Changed of dir: a restored service may assign the same id again
	name string         // as requested; the service keeps its own spelling of an existing file
	path string         // below media/, for messages
	base remote.Version // that the name must have at the service, or remote.NoFile; 0: any
}

// targetIn returns the target for a file called name in dir; Store.mu must be held.
func targetIn(dir *tree.Node, name string) target {
	return target{dir: dir, id: dir.ID, made: dir.Changed, name: name, path: path.Join(dir.Path(), name)}
}

// here returns the name to lock for a target.
func (at target) here() waiter.Name { return waiter.NameOf(at.dir.Ino, at.name) }

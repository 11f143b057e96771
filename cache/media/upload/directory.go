package upload

import (
	"context"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
)

// SendDir creates a directory at the service unless it exists.
func (s *Uploader) SendDir(ctx context.Context, n *tree.Node) error {
	unlock := s.names.LockNode(n)
	defer unlock()
	s.names.Mu.Lock()
	parent, name := n.Parent, n.Name
	needless := parent == nil || n.Local() || n.ID != 0
	if !needless {
		n.Own().Making++
	}
	s.names.Mu.Unlock()
	if needless {
		return nil
	}
	defer func() {
		s.names.Mu.Lock()
		n.Making--
		s.names.Mu.Unlock()
	}()
	if err := s.MakeDirs(ctx, parent); err != nil {
		return err
	}
	s.names.Mu.RLock()
	in := parent.ID
	s.names.Mu.RUnlock()
	id, err := s.CreateDir(ctx, in, name)
	if cause.ForGood(err) {
		id, err = s.findCreatedDir(ctx, n, err)
	}
	if err != nil {
		return err
	}
	s.names.Mu.Lock()
	s.names.MadeLocked(n, id)
	s.names.SetQueuedLocked(n, false)
	upto := s.names.SaveLocked(n)
	s.names.OfferChildrenLocked(n)
	s.names.Mu.Unlock()
	return s.names.Journal.WaitSynced(upto)
}

// CreateDir creates a directory at the service. After an error the directory may still exist:
// others created it, or the request took effect without an answer.
func (s *Uploader) CreateDir(ctx context.Context, parent int64, name string) (int64, error) {
	if err := s.names.Journal.Able(); err != nil {
		return 0, err
	}
	id, err := s.o.Service.CreateDirectory(ctx, parent, name)
	if err != nil {
		s.reconciler.Forget()
	}
	return id, err
}

// MinCheckInterval is how long the check after a refused upload counts for later refusals in the
// same directory.
const MinCheckInterval = 10 * time.Second

// dirDeletedAtService reports whether an upload was refused because its directory no longer
// exists at the service: others deleted it, or a backup of the service was restored. A GetTree
// that began before the refusal counts only if it lacks the directory. Uploads that are refused
// together share one.
func (s *Uploader) dirDeletedAtService(ctx context.Context, at names.Target, refused error) bool {
	if !cause.ForGood(refused) || cause.Conflict(refused) {
		return false
	}
	since := s.names.Aging()
	gone, checked := s.lacks(at)
	if gone || checked {
		return gone
	}
	if s.reconciler.Flights.Since(time.Time{}, func() bool { return true }, nil).Await(ctx) == nil { // the one in progress, if there is one
		if gone, _ = s.lacks(at); gone {
			return true
		}
	}
	if s.reconciler.Patiently(ctx, s.reconciler.Flights.Since(since, nil, s.reconciler.PatientTree)) != nil {
		return false
	}
	s.names.Mu.Lock()
	at.Dir.Own().Checked = since
	s.names.Mu.Unlock()
	gone, _ = s.lacks(at)
	return gone
}

// lacks reports whether the service no longer has the directory of a target, and whether that is
// known without another GetTree.
func (s *Uploader) lacks(at names.Target) (gone, checked bool) {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	gone = (at.Dir.ID != at.ID || at.Dir.Changed != at.Made) && at.Dir.Parent != nil
	checked = !at.Dir.Checked.IsZero() && s.names.Aging().Sub(at.Dir.Checked) < MinCheckInterval
	return gone, checked
}

// findCreatedDir returns the id of a directory that others have created, after its creation failed
// with refusal.
func (s *Uploader) findCreatedDir(ctx context.Context, n *tree.Node, refusal error) (int64, error) {
	if err := s.reconciler.RefreshPatiently(ctx); err != nil {
		return 0, refusal
	}
	s.names.Mu.RLock()
	id := n.ID
	s.names.Mu.RUnlock()
	if id == 0 {
		return 0, s.reconciler.Hiding(n, refusal)
	}
	return id, nil
}

// MakeDirs creates dir and its parents at the service. The caller may hold the lock of a name
// in dir.
func (s *Uploader) MakeDirs(ctx context.Context, dir *tree.Node) error {
	s.names.Mu.RLock()
	made, gone, parent, name := dir.Made(), dir.Parent == nil || dir.Local(), dir.Parent, dir.Name
	s.names.Mu.RUnlock()
	switch {
	case made:
		return nil
	case gone: // or became scratch: its contents must not be sent elsewhere
		return refusal.NoSuchFile(name)
	}
	if err := s.MakeDirs(ctx, parent); err != nil {
		return err
	}
	if err := s.SendDir(ctx, dir); err != nil {
		return err
	}
	return s.MakeDirs(ctx, dir)
}

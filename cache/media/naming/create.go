package naming

import (
	"context"
	"time"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/waiter"
)

// Create creates an empty file and opens it for writing. It sends nothing.
func (s *Naming) Create(dir inode.Ino, name string, by inode.New) (inode.Attr, *handle.Handle, error) {
	if err := s.o.State.Whole(); err != nil {
		return inode.Attr{}, nil, err
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	d, local, err := s.names.NewNameLocked(dir, name, by.Comm)
	if err != nil {
		return inode.Attr{}, nil, err
	}
	n := s.names.NewNodeLocked(inode.File, by.Mode|tree.OwnMode, by.UID, by.GID)
	if local {
		n.On(tree.Hidden)
	}
	h := s.handles.CreatedLocked(n)
	s.names.LinkLocked(d, name, n)
	return n.Attr(), h, nil
}

// Mkdir creates a directory. This takes 1 request, plus 1 to find out whether the directory
// already exists if the service refuses. A scratch name takes none. With Options.WriteBack, or
// in a queued directory, the new directory is queued.
func (s *Naming) Mkdir(ctx context.Context, dir inode.Ino, name string, by inode.New) (inode.Attr, error) {
	if err := s.bodies.EnterFor(journal.RoomToMake); err != nil {
		return inode.Attr{}, err
	}
	defer s.names.Work.Done()
	unlock, err := s.names.Locks.LockFor(ctx, waiter.NameOf(dir, name))
	if err != nil {
		return inode.Attr{}, err
	}
	defer unlock()
	s.names.Mu.Lock()
	d, local, err := s.names.NewNameLocked(dir, name, by.Comm)
	if err != nil || local {
		defer s.names.Mu.Unlock()
		if err != nil {
			return inode.Attr{}, err
		}
		n := s.names.NewNodeLocked(inode.Directory, by.Mode|tree.OwnMode, by.UID, by.GID)
		n.On(tree.Hidden)
		s.names.LinkLocked(d, name, n)
		return n.Attr(), nil
	}
	if s.o.WriteBack || !d.Made() {
		n := s.names.NewNodeLocked(inode.Directory, by.Mode|tree.OwnMode, by.UID, by.GID)
		s.names.SetQueuedLocked(n, true)
		upto := s.names.LinkLocked(d, name, n)
		attr := n.Attr()
		s.names.Mu.Unlock()
		return attr, s.names.Journal.WaitSynced(upto)
	}
	parent := d.ID
	s.names.Mu.Unlock()

	ctx = waiter.Committed(ctx)
	id, err := s.uploads.CreateDir(ctx, parent, name)
	if err != nil {
		return inode.Attr{}, s.notMade(ctx, d, parent, name, err)
	}
	s.names.Mu.Lock()
	n := s.names.Dirs[id] // a GetTree since then may have added it
	if n == nil || n.Parent != d || tree.Fold(n.Name) != tree.Fold(name) {
		n = s.names.NewNodeLocked(inode.Directory, by.Mode|tree.OwnMode, by.UID, by.GID)
		if other := d.Children[name]; other != nil {
			s.names.UnlinkLocked(other)
		}
		s.names.LinkLocked(d, name, n)
	}
	s.names.MadeLocked(n, id)
	upto := s.names.SaveLocked(n)
	attr := n.Attr()
	s.names.Mu.Unlock()
	return attr, s.names.Journal.WaitSynced(upto)
}

// The rest of this file creates what only scratch names can be: symbolic links and hard links.

// Symlink creates a symbolic link.
func (s *Naming) Symlink(dir inode.Ino, name, target string, by inode.New) (inode.Attr, error) {
	if err := s.o.State.Whole(); err != nil {
		return inode.Attr{}, err
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	d, local, err := s.names.NewNameLocked(dir, name, by.Comm)
	if err != nil {
		return inode.Attr{}, err
	}
	if !local {
		return inode.Attr{}, plan.LocalOnly(name)
	}
	n := s.names.NewNodeLocked(inode.Symlink, by.Mode|tree.OwnMode, by.UID, by.GID)
	n.On(tree.Hidden)
	n.Own().Target = target
	s.names.LinkLocked(d, name, n)
	return n.Attr(), nil
}

// Link adds another scratch name to a scratch file.
func (s *Naming) Link(ino, dir inode.Ino, name string, comm string) (inode.Attr, error) {
	if err := s.o.State.Whole(); err != nil {
		return inode.Attr{}, err
	}
	s.names.Mu.RLock()
	n := s.names.Nodes[ino]
	linkable := n != nil && n.Local()
	s.names.Mu.RUnlock()
	if n == nil {
		return inode.Attr{}, refusal.NoSuchFile(name)
	}
	if linkable { // other files are refused, and do not wait for the end of an upload first
		// Holding the lock of its name keeps the file from becoming visible.
		defer s.names.LockNode(n, waiter.NameOf(dir, name))()
	}
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	d, local, err := s.names.NewNameLocked(dir, name, comm)
	if err == nil && n.Parent == nil {
		err = refusal.NoSuchFile(name)
	}
	if err != nil {
		return inode.Attr{}, err
	}
	if !linkable || !local || !n.Local() || d.Top() != n.Top() {
		return inode.Attr{}, &refusal.Error{Kind: refusal.LocalOnly, Name: name, Detail: "the service does not support hard links; only files that stay on this machine can have several names"}
	}
	// The kernel caches a name for long only if it is the file's only one: with several names,
	// one of them may later become another file.
	s.names.Changes.Tell(names.Changed{Dir: n.Parent.Ino, Entries: []string{n.Name}})
	s.names.LinkLocked(d, name, n)
	n.Ctime = d.Ctime
	return n.Attr(), nil
}

// notMade explains why the service did not make a directory in d, from a tree that it fetches.
func (s *Naming) notMade(ctx context.Context, d *tree.Node, parent int64, name string, err error) error {
	if cause.ForGood(err) && s.reconciler.RefreshPatiently(ctx) == nil {
		s.names.Mu.RLock()
		defer s.names.Mu.RUnlock()
		if d.ID != parent || d.Parent == nil && d != s.names.Root {
			err = refusal.NoSuchFile(d.Name)
		} else if d.Children[name] != nil {
			err = refusal.NameTaken(name)
		}
	}
	return err
}

// SetAttr changes mode, owner or times. They are kept locally and never sent.
func (s *Naming) SetAttr(ino inode.Ino, c inode.Change) (inode.Attr, error) {
	if err := s.o.State.Whole(); err != nil {
		return inode.Attr{}, err
	}
	s.names.Mu.Lock()
	n := s.names.Nodes[ino]
	if n == nil {
		s.names.Mu.Unlock()
		return inode.Attr{}, refusal.NoSuchFile("")
	}
	if c.Mode != nil {
		n.Mode = uint16(*c.Mode&0o7777 | tree.OwnMode)
	}
	set(&n.UID, c.UID)
	set(&n.GID, c.GID)
	setTime(&n.Atime, c.Atime)
	setTime(&n.Mtime, c.Mtime)
	if c.Mtime != nil && !n.Dirty() && !n.Local() {
		n.Pub.ModTime = n.Mtime
	}
	n.Ctime = s.names.Now()
	s.names.SaveAttrLocked(n)
	a, by, sent := n.Attr(), s.uploads.PDFProcessor, n.IsPDF() && n.Pub.ID != 0 && !n.Dirty()
	s.names.Mu.Unlock()
	if sent && c.Mtime != nil {
		return a, by.SetWritten(a.ID, *c.Mtime)
	}
	return a, nil
}

func set(to, from *int64) {
	if from != nil {
		*to = *from
	}
}

func setTime(to *inode.Instant, from *time.Time) {
	if from != nil {
		*to = inode.InstantOf(*from)
	}
}

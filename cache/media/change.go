package media

import (
	"cmp"
	"context"
	"math"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// This file has what all changes of names share: they cancel uploads of the files they change,
// delete at the service, and, when late, yield to newer writes. A change whose caller gave up goes on,
// late, once it has had an effect. It keeps its names locked, and users of those names wait.

// removableLocked reports whether the name of a file may be removed: a published one only if
// deleting is allowed. s.mu must be held.
func (s *Store) removableLocked(n *tree.Node) error {
	if n.Pub.ID != 0 && !s.o.AllowDelete {
		return refusal.DeleteForbidden(n.Name)
	}
	return s.unseenLocked(n)
}

// cancelledUploads are files whose queued upload was cancelled for a change of their names.
type cancelledUploads struct {
	*Store
	nodes      []*tree.Node
	deliveries []*tree.Delivery
	sent       []*tree.Node // the nodes whose upload had begun
}

// stopLocked stops sending a delivery, now and later, and returns its previous state; s.mu must
// be held.
func (s *Store) stopLocked(d *tree.Delivery) outbox.State {
	was, there := d.Queue.Cancel(d)
	if there && !was.Cancelled() && d.Canceller.Cancel() {
		d.Queue.Interrupt(d)
	}
	return was
}

// cancelLocked cancels the upload of n from the queue, or keeps it from starting, so that a change
// of its name need not wait for it. Once all content is sent, the change waits for the answer. s.mu
// must be held.
func (c *cancelledUploads) cancelLocked(n *tree.Node) {
	d := n.Delivery
	if n.Kind != File || d == nil {
		return
	}
	switch was := c.stopLocked(d); {
	case was.Cancelled():
		return
	case was.Active():
		c.sent = append(c.sent, n)
	}
	c.nodes, c.deliveries = append(c.nodes, n), append(c.deliveries, d)
}

// refreshIfUnsure reads the tree if a cancelled upload may have taken effect: then its file is a
// published one. The names must be locked. Without an answer the files are treated as before.
func (c *cancelledUploads) refreshIfUnsure(ctx context.Context) {
	c.mu.RLock()
	unsure := false
	for _, n := range c.sent {
		unsure = unsure || n.Parent != nil && c.unsureLocked(journal.NameAt(n.Parent.ID, n.Name))
	}
	c.mu.RUnlock()
	if !unsure {
		return
	}
	if err := c.refreshPatiently(ctx); err != nil {
		c.o.Log.Warn("cannot check whether a cancelled upload took effect", "error", err)
	}
}

// resume continues sending what is still queued.
func (c *cancelledUploads) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, d := range c.deliveries {
		d.Canceller = new(tree.Canceller)
		d.Queue.Resume(d)
		c.offerLocked(c.nodes[i])
	}
}

// planned describes the file that a change was planned to replace or remove.
type planned struct {
	node   *tree.Node   // nil: none
	shown  tree.Version // its version, as far as programs were told
	writes uint64
	queued bool
}

// plannedOn describes n, which may be nil; Store.mu must be held.
func plannedOn(n *tree.Node) planned {
	if n == nil {
		return planned{}
	}
	return planned{n, n.Pub, n.Writes, n.Queued()}
}

// overtakenLocked reports whether n, which has the name now, was written or closed locally
// after a change was planned; s.mu must be held.
func (s *Store) overtakenLocked(was planned, n *tree.Node) bool {
	if n == nil || n.Kind != File {
		return false
	}
	fresh := n != was.node && n.Pub.ID == 0
	written := (n.Dirty() || n.Local()) && (n != was.node || n.Writes != was.writes)
	closed := n.Dirty() && s.closing[n.Ino] == n || n.Queued() && (n != was.node || !was.queued)
	return fresh || written || closed
}

func errOvertaken(name string) error {
	return &Error{Kind: Newer, Name: name, Detail: "the interrupted change was given up because the file was written in the meantime; the new content is kept"}
}

// deleteAtService deletes n at the service, as changeAtService says, if it still has version seen.
func (s *Store) deleteAtService(ctx context.Context, n *tree.Node, dir Ino, name string, seen tree.Version, id int64) error {
	still := func() error { return s.unchanged(dir, name, seen) }
	_, err := s.changeAtService(ctx, remote.DeleteFile, n, dir, name, still, func(ctx context.Context) error { return s.o.Service.DeleteFile(ctx, id) })
	return err
}

// changeAtService changes n at the service if, when the request may go out, n still has the given name and still, which looks at the
// tree, does not fail. The version that the tree has then is what the service judges, if it can. changeAtService returns the version
// after the change. If the caller leaves before that, nothing happens. GetTree
// answers change neither n nor an inode that gets its name from it until, after a success, the caller
// has recorded that.
func (s *Store) changeAtService(ctx context.Context, op *remote.Operation, n *tree.Node, dir Ino, name string, still func() error, request func(context.Context) error) (now remote.Version, err error) {
	s.mu.RLock()
	judged := s.judged(cmp.Or(n.Mark, n.Pub.Mark)) != 0 || op == remote.MoveDirectory // it moves by its id, and nothing is lost with it
	s.mu.RUnlock()
	turn, end, err := s.turn(ctx, op, judged)
	defer end()
	if err != nil {
		return 0, err
	}
	var under remote.Condition
	err = s.changing(ctx, still, func() error {
		s.mu.Lock()
		if !n.Named(dir, name) {
			s.mu.Unlock()
			return refusal.NoSuchFile(name)
		}
		n.Own().Changed, under.If = underWay, s.judged(cmp.Or(n.Mark, n.Pub.Mark))
		s.mu.Unlock()
		err := request(remote.Under(waiter.Committed(turn), &under))
		if err != nil {
			s.notChanged(n, dir, name)
		}
		return err
	})
	if cause.ForGood(err) && s.refreshPatiently(ctx) == nil {
		err = cmp.Or(still(), err)
	}
	return under.Now, err
}

// notChanged lets answers of GetTree change n, and the inode that has its name, again, the next one soon.
func (s *Store) notChanged(n *tree.Node, dir Ino, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	n.Own().Changed, s.getTree.stale = s.serial, true
	if heir, none := s.childLocked(dir, name); none == nil && heir.Changed == underWay {
		heir.Own().Changed = s.serial
	}
}

// underWay is the serial of a change at the service that has not finished.
const underWay = math.MaxUint64

// forgetFileLocked records that n was deleted at the service; s.mu must be held.
func (s *Store) forgetFileLocked(n *tree.Node, id int64) {
	s.serial++
	s.deletedFiles[id], n.Own().Changed = s.serial, s.serial
	if heir := s.files[id]; heir == n {
		delete(s.files, id)
	} else if heir != nil { // its name let go of n: the next GetTree says whether it is there again
		heir.Own().Changed, s.getTree.stale = s.serial, true
	}
}

// Late reports whether late changes are in progress, so that AwaitName and AwaitInode may have
// to wait.
func (s *Store) Late() bool { return s.names.Late() }

// AwaitName waits until no late change uses a name.
func (s *Store) AwaitName(ctx context.Context, dir Ino, name string) error {
	return s.names.AwaitLate(ctx, waiter.NameOf(dir, name))
}

// AwaitInode waits until no late change uses the name of an inode. It fails with NotFound if
// the inode has another name, or none, afterwards.
func (s *Store) AwaitInode(ctx context.Context, ino Ino) error {
	s.mu.RLock()
	n := s.nodes[ino]
	s.mu.RUnlock()
	if n == nil {
		return nil
	}
	at, named := s.nameOf(n)
	if !named {
		return nil
	}
	if err := s.names.AwaitLate(ctx, at); err != nil {
		return err
	}
	if now, still := s.nameOf(n); !still || now != at {
		return refusal.NoSuchFile("")
	}
	return nil
}

// lockNode locks the present name of n. If n has no name, unlock does nothing. The name of a PDF is not
// locked, but its content.
func (s *Store) lockNode(n *tree.Node) (unlock func()) {
	if n.PDF != nil {
		n.Body().Load.Lock()
		return n.Body().Load.Unlock
	}
	for {
		at, named := s.nameOf(n)
		if !named {
			return func() {}
		}
		unlock := s.names.Lock(at)
		if now, still := s.nameOf(n); still && now == at {
			return unlock
		}
		unlock() // it was renamed in the meantime
	}
}

func (s *Store) nameOf(n *tree.Node) (waiter.Name, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if n.Parent == nil {
		return waiter.Name{}, false
	}
	return waiter.NameOf(n.Parent.Ino, n.Name), true
}

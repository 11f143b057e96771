package naming

import (
	"cmp"
	"context"
	"math"

	"paperfs/cache/content/cause"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/upload"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// Naming creates, renames and removes names on behalf of programs.
type Naming struct {
	o          *option.Options
	names      *names.Tree
	reconciler *reconcile.Reconciler
	bodies     *body.Bodies
	uploads    *upload.Uploader
	handles    *handle.Handles
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, bodies *body.Bodies, uploads *upload.Uploader, handles *handle.Handles) *Naming {
	return &Naming{o: o, names: names, reconciler: reconciler, bodies: bodies, uploads: uploads, handles: handles}
}

// This file has what all changes of names share: they cancel uploads of the files they change,
// delete at the service, and, when late, yield to newer writes. A change whose caller gave up goes on,
// late, once it has had an effect. It keeps its names locked, and users of those names wait.

// removableLocked reports whether the name of a file may be removed: a published one only if
// deleting is allowed. Tree.Mu must be held.
func (s *Naming) removableLocked(n *tree.Node) error {
	if n.Pub.ID != 0 && !s.o.AllowDelete {
		return refusal.DeleteForbidden(n.Name)
	}
	return s.reconciler.ProtectedLocked(n)
}

// cancelledUploads are files whose queued upload was cancelled for a change of their names.
type cancelledUploads struct {
	*Naming
	nodes      []*tree.Node
	deliveries []*tree.Delivery
	sent       []*tree.Node // the nodes whose upload had begun
}

// cancelLocked cancels the upload of n from the queue, or keeps it from starting, so that a change
// of its name need not wait for it. Once all content is sent, the change waits for the answer. Mu
// must be held.
func (c *cancelledUploads) cancelLocked(n *tree.Node) {
	d := n.Delivery
	if n.Kind != inode.File || d == nil {
		return
	}
	switch was := c.names.StopLocked(d); {
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
	c.names.Mu.RLock()
	unsure := false
	for _, n := range c.sent {
		unsure = unsure || n.Parent != nil && c.names.UnsureLocked(journal.NameAt(n.Parent.ID, n.Name))
	}
	c.names.Mu.RUnlock()
	if !unsure {
		return
	}
	if err := c.reconciler.RefreshPatiently(ctx); err != nil {
		c.o.Log.Warn("cannot check whether a cancelled upload took effect", "error", err)
	}
}

// resume continues sending what is still queued.
func (c *cancelledUploads) resume() {
	c.names.Mu.Lock()
	defer c.names.Mu.Unlock()
	for i, d := range c.deliveries {
		d.Canceller = new(tree.Canceller)
		d.Queue.Resume(d)
		c.names.OfferLocked(c.nodes[i])
	}
}

// deleteAtService deletes n at the service, as changeAtService says, if it still has version seen.
func (s *Naming) deleteAtService(ctx context.Context, n *tree.Node, dir inode.Ino, name string, seen tree.Version, id int64) error {
	still := func() error { return s.reconciler.Unchanged(dir, name, seen) }
	_, err := s.changeAtService(ctx, remote.DeleteFile, n, dir, name, still, func(ctx context.Context) error { return s.o.Service.DeleteFile(ctx, id) })
	return err
}

// changeAtService changes n at the service if, when the request may go out, n still has the given name and still, which looks at the
// tree, does not fail. The version that the tree has then is what the service judges, if it can. changeAtService returns the version
// after the change. If the caller leaves before that, nothing happens. GetTree
// answers change neither n nor an inode that gets its name from it until, after a success, the caller
// has recorded that.
func (s *Naming) changeAtService(ctx context.Context, op *remote.Operation, n *tree.Node, dir inode.Ino, name string, still func() error, request func(context.Context) error) (now remote.Version, err error) {
	s.names.Mu.RLock()
	compared := s.reconciler.Compared(cmp.Or(n.Mark, n.Pub.Mark)) != 0 || op == remote.MoveDirectory // it moves by its id, and nothing is lost with it
	s.names.Mu.RUnlock()
	turn, end, err := s.reconciler.Turn(ctx, op, compared)
	defer end()
	if err != nil {
		return 0, err
	}
	var under remote.Condition
	err = s.uploads.Changing(ctx, still, func() error {
		s.names.Mu.Lock()
		if !n.Named(dir, name) {
			s.names.Mu.Unlock()
			return refusal.NoSuchFile(name)
		}
		n.Own().Changed, under.If = underWay, s.reconciler.Compared(cmp.Or(n.Mark, n.Pub.Mark))
		s.names.Mu.Unlock()
		err := request(remote.Under(waiter.Committed(turn), &under))
		if err != nil {
			s.notChanged(n, dir, name)
		}
		return err
	})
	if cause.ForGood(err) && s.reconciler.RefreshPatiently(ctx) == nil {
		err = cmp.Or(still(), err)
	}
	return under.Now, err
}

// notChanged lets answers of GetTree change n, and the inode that has its name, again, the next one soon.
func (s *Naming) notChanged(n *tree.Node, dir inode.Ino, name string) {
	s.names.Mu.Lock()
	defer s.names.Mu.Unlock()
	s.names.ChangedLocked(n)
	s.names.GetTree.Stale = true
	if successor, none := s.names.ChildLocked(dir, name); none == nil && successor.Changed == underWay {
		successor.Own().Changed = n.Changed
	}
}

// underWay is the serial of a change at the service that has not finished.
const underWay = math.MaxUint64

// planned describes the file that a change was planned to replace or remove.
type planned struct {
	node   *tree.Node   // nil: none
	shown  tree.Version // its version, as far as programs were told
	writes uint64
	queued bool
}

// plannedOn describes n, which may be nil; Mu must be held.
func plannedOn(n *tree.Node) planned {
	if n == nil {
		return planned{}
	}
	return planned{n, n.Pub, n.Writes, n.Queued()}
}

// overtakenLocked reports whether n, which has the name now, was written or closed locally
// after a change was planned; Mu must be held.
func (s *Naming) overtakenLocked(was planned, n *tree.Node) bool {
	if n == nil || n.Kind != inode.File {
		return false
	}
	fresh := n != was.node && n.Pub.ID == 0
	written := (n.Dirty() || n.Local()) && (n != was.node || n.Writes != was.writes)
	closed := n.Dirty() && s.names.Closing[n.Ino] == n || n.Queued() && (n != was.node || !was.queued)
	return fresh || written || closed
}

func errOvertaken(name string) error {
	return &refusal.Error{Kind: refusal.Newer, Name: name, Detail: "the interrupted change was given up because the file was written in the meantime; the new content is kept"}
}

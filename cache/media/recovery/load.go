package recovery

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/queue"
)

// Recovery is what the next mount does with what a run left, and what a lost state leaves.
type Recovery struct {
	o          *option.Options
	names      *names.Tree
	bodies     *body.Bodies
	queue      *queue.Sender
	lastCopies map[inode.Ino][]byte // of a lost state, once the store is closed: see KeepCopies
}

// New returns one for the layers below.
func New(o *option.Options, names *names.Tree, bodies *body.Bodies, queue *queue.Sender) *Recovery {
	return &Recovery{o: o, names: names, bodies: bodies, queue: queue}
}

// load builds the tree from the database and returns the recorded spools by inode.
func (s *Recovery) load() (rows map[inode.Ino]journal.Spool, err error) {
	rows = make(map[inode.Ino]journal.Spool)
	names, last, err := journal.Load(s.o.State.DB(), func(n *tree.Node, spool journal.Spool) {
		s.names.Nodes[n.Ino] = n
		if (n.Queued() || n.Local()) && n.Kind == inode.File || spool.Draft != 0 {
			rows[n.Ino] = spool
			n.Own().Draft = spool.Draft
		}
	})
	if err != nil {
		return nil, err
	}
	s.names.LastIno = max(last, inode.Root)
	if s.names.Root = s.names.Nodes[inode.Root]; s.names.Root == nil {
		now := s.names.Now()
		s.names.Root = tree.NewNode(inode.Root, inode.Directory)
		s.names.Root.Mode, s.names.Root.UID, s.names.Root.GID = 0o755, inode.Owner, inode.Owner
		s.names.Root.Atime, s.names.Root.Mtime, s.names.Root.Ctime = now, now, now
		s.names.Nodes[inode.Root] = s.names.Root
	}
	for _, l := range names {
		if parent := s.names.Nodes[l.Parent]; parent != nil && parent.Kind == inode.Directory && parent.Children[l.Name] == nil && l.Node.Kind <= inode.Symlink { // an earlier paperfs had pipes and sockets
			parent.Attach(l.Name, l.Node)
		}
	}
	for ino, n := range s.names.Nodes {
		if n.Parent == nil && n != s.names.Root {
			if n.Kind == inode.File && n.Target != "" { // content that lost its name, Target
				n.On(tree.Unlinked)
				n.Own().Lost = n.Target
			} else {
				delete(s.names.Nodes, ino)
			}
			continue
		}
		s.names.IndexLocked(n)
	}
	return rows, nil
}

// BootKey is the key for the boot ID of the machine at the last Open.
const BootKey = "media.boot"

// boot returns the current boot ID, and whether the machine has, or may have, rebooted since
// the last Open.
func (s *Recovery) boot() (name string, another bool, err error) {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // if unreadable, assume a reboot
	last, _, err := s.o.State.Value(BootKey)
	return string(id), last == "" || last != string(id), err
}

// loadTreeTime loads the time of the last GetTree.
func (s *Recovery) loadTreeTime() error {
	text, found, err := s.o.State.Value(journal.TreeKey)
	if err != nil || !found {
		return err
	}
	nano, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the media tree: %w", err)
	}
	s.names.GetTree.Fetched = time.Unix(0, nano)
	s.names.GetTree.Saved = s.names.GetTree.Fetched
	return nil
}

// Recover loads and repairs the state on disk. It runs before the store is used.
func (s *Recovery) Recover() (err error) {
	if err := s.names.LoadUnsure(); err != nil {
		return err
	}
	rows, err := s.load()
	if err != nil {
		return err
	}
	found, err := s.bodies.Spools.Leftovers()
	if err != nil {
		return err
	}
	s.bodies.Spools.Used(s.bodies.Failures.Serial())
	if err := s.loadPDFs(rows); err != nil {
		return err
	}
	leftovers := s.claim(found, rows)
	if err := s.loadTreeTime(); err != nil {
		return err
	}
	boot, rebooted, err := s.boot()
	if err != nil {
		return err
	}
	if err := s.loadCopies(leftovers, rows); err != nil {
		return err
	}
	if _, unknown := s.names.Unsure(); unknown > 0 {
		s.names.GetTree.Stale = true
	}
	if err := s.recover(leftovers, rows); err != nil {
		return err
	}
	if err := errors.Join(s.bodies.Failures.Forget(), s.bodies.Spools.Forget()); err != nil || !rebooted {
		return err
	}
	s.names.GetTree.Stale = true // the last recorded changes may not have reached the disk
	return s.o.State.SetValue(BootKey, boot)
}

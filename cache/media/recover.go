package media

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/spool"
)

// errUnfinished is the reason of what an earlier run left in the spool. It cannot tell
// whether a close was under way, nor how an upload ended.
var errUnfinished = unfinished{errors.New("the mount ended before the file was closed, or while it was being sent: the service may have it")}

// recover gives what an earlier run left in the spool to its inodes: scratch
// and queued files go on, what was published goes to the cache, and what was
// being written goes to failed/. closed has the serials of the queued spools, 0
// for the newest. It runs before anything else.
func (s *Store) recover(left map[Ino][]uint64, closed map[Ino]uint64) error {
	for ino, serials := range left {
		newest := slices.Max(serials)
		queued, waits := closed[ino]
		if waits && queued == 0 {
			queued = newest
		}
		waits = slices.Contains(serials, queued) && s.nodes[ino] != nil
		for _, serial := range serials {
			path := s.spools.PathOf(ino, serial)
			var err error
			switch {
			case waits && serial == queued:
				err = s.recoverQueued(s.nodes[ino], path)
			case serial == newest:
				err = s.recoverNewest(ino, path, waits)
			default:
				err = os.Remove(path)
			}
			if err != nil {
				return err
			}
		}
	}
	var queued []*node
	for _, n := range s.nodes {
		switch {
		case n.queued() && (n.kind == Directory || n.body().spool != nil):
			queued = append(queued, n)
		case n.queued() && n.pub.id != 0:
			s.setQueuedLocked(n, false)
			n.on(reverted)
			n.mtime = n.pub.modTime
			s.keepLocked(n)
		case n.kind == File && !n.local() && n.pub.id == 0:
			s.unlinkLocked(n) // made, and nothing written to it
		}
	}
	slices.SortFunc(queued, func(a, b *node) int { return cmp.Compare(a.ino, b.ino) })
	for _, n := range queued {
		s.setQueuedLocked(n, true)
		if n.kind == File {
			n.delivery.spool = n.body().closed.Serial
		}
	}
	return nil
}

// recoverQueued goes on with what is queued of n.
func (s *Store) recoverQueued(n *node, path string) error {
	sp, _, err := s.spools.Found(path)
	if err != nil {
		return err
	}
	b := n.body()
	b.spool, b.closed, b.gen, b.queued = sp, sp, 1, 1
	n.own().size, n.written = sp.Size, true
	return nil
}

// noteCut notes that an upload of n, which may be nil, may have been under way when an
// earlier run ended: it may take effect late.
func (s *Store) noteCut(n *node) error {
	if n == nil || n.kind != File || n.parent == nil || !n.parent.made() {
		return nil
	}
	return s.unknown.add(servicePlace{n.parent.id, fold(n.name)})
}

// recoverNewest sees to the newest content of an inode, which is not queued;
// older content may be.
func (s *Store) recoverNewest(ino Ino, path string, olderQueued bool) error {
	sp, modTime, err := s.spools.Found(path)
	if err != nil {
		return err
	}
	n := s.nodes[ino]
	if n == nil || !n.local() {
		s.tree.stale = true // an upload of it may have been under way, and taken effect
		if err := s.noteCut(n); err != nil {
			return err
		}
	}
	switch {
	case n == nil || n.kind != File:
		return s.failures.add(path, FailedEntry{Path: unnamed + strconv.FormatUint(uint64(ino), 10), Reason: errUnfinished.Error(),
			Size: sp.Size, Mode: 0o600, ModTime: modTime, Unfinished: true})
	case sp.Size == 0 && !n.local() && (olderQueued || n.pub.id == 0):
		s.spools.Drop(sp) // made or emptied, and nothing in it
		return nil
	case olderQueued:
		return s.failUnfinished(n, sp)
	}
	if n.queued() { // its spool went before its row was written
		s.setQueuedLocked(n, false)
		n.on(reverted)
	}
	published, err := s.isPublished(n, sp)
	if err != nil {
		return err
	}
	n.own().size = sp.Size
	switch {
	case published:
		if err := s.contents.Adopt(path, n.pub.sha256.String()); err != nil {
			s.o.Log.Warn("published content is not kept for reading", "error", err)
		}
		s.room.Give(sp.Size)
	case n.local():
		n.body().spool, n.written = sp, true
	default:
		n.on(written)
		if err := s.failUnfinished(n, sp); err != nil {
			return err
		}
		s.revert(n)
	}
	return nil
}

// failUnfinished moves what was being written to failed/.
func (s *Store) failUnfinished(n *node, sp *spool.File) error {
	return s.failures.add(sp.Path, n.failedEntry(sp.Size, errUnfinished))
}

// isPublished reports whether a spool holds what the service holds: the run
// ended between the upload and the last close.
func (s *Store) isPublished(n *node, sp *spool.File) (bool, error) {
	if n.pub.id == 0 || !n.pub.sha256.Known() || n.pub.size != sp.Size {
		return false, nil
	}
	f, err := os.Open(sp.Path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	sum, _, err := contentcache.SumOf(f)
	return inode.DigestOf(sum) == n.pub.sha256, err
}

// load builds the tree from what is kept, and returns the serials of the queued
// spools, 0 for the newest.
func (s *Store) load() (closed map[Ino]uint64, err error) {
	closed = make(map[Ino]uint64)
	var cut []*node
	names, last, err := s.table.load(func(n *node, spool uint64, wasCut bool) {
		s.nodes[n.ino] = n
		if wasCut {
			cut = append(cut, n)
		}
		if n.queued() && n.kind == File {
			closed[n.ino] = spool
		}
	})
	if err != nil {
		return nil, err
	}
	s.lastIno = max(last, Root)
	if s.root = s.nodes[Root]; s.root == nil {
		now := s.now()
		s.root = newNode(Root, Directory)
		s.root.mode, s.root.uid, s.root.gid = 0o755, Owner, Owner
		s.root.atime, s.root.mtime, s.root.ctime = now, now, now
		s.nodes[Root] = s.root
	}
	for _, l := range names {
		if parent := s.nodes[l.parent]; parent != nil && parent.kind == Directory && parent.children[l.name] == nil {
			parent.attach(l.name, l.node)
		}
	}
	for ino, n := range s.nodes {
		if n.parent == nil && n != s.root {
			delete(s.nodes, ino)
			continue
		}
		s.indexLocked(n)
	}
	for _, n := range cut {
		err = errors.Join(err, s.noteCut(n))
		s.keepLocked(n)
	}
	return closed, err
}

// bootKey is where the state keeps in which run of the machine it was opened.
const bootKey = "media.boot"

// boot names the present run of the machine, and reports whether the state was
// last opened in another one, or may have been.
func (s *Store) boot() (name string, another bool, err error) {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // where nothing tells, each is another
	last, _, err := s.o.State.Value(bootKey)
	return string(id), last == "" || last != string(id), err
}

// loadTreeTime reads when the tree was last asked for.
func (s *Store) loadTreeTime() error {
	text, found, err := s.o.State.Value(treeKey)
	if err != nil || !found {
		return err
	}
	nano, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the media tree: %w", err)
	}
	s.tree.fetched = time.Unix(0, nano)
	s.tree.kept = s.tree.fetched
	return nil
}

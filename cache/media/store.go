package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/lock"
	"paperfs/cache/media/outbox"
	"paperfs/cache/notify"
	"paperfs/remote"
)

// Store is the media store of one account. Its methods may be called at the
// same time.
type Store struct {
	o        Options
	spools   spools
	contents *contentcache.Cache
	failures failures
	room     disk.Room
	sound    soundness
	table    *table
	ballast  ballast
	removals removals
	places   places
	flights  flights
	changes  changes
	unknown  unknown
	progress progress

	halfMoves halfMoves

	base context.Context // of requests that no caller's end may cut
	end  context.CancelFunc
	work sync.WaitGroup // what goes on behind the callers

	outbox *outbox.Outbox[*delivery] // what is queued; its mutex is below mu

	mu       lock.RWMutex[lock.Store] // guards the rest, and the nodes
	root     *node
	nodes    map[Ino]*node   // all inodes that have a name or an open handle
	copies   int             // of queued content in the database
	barred   error           // why the account was not let in when the queue tried last, nil once something was sent
	settling int             // releases under way
	closing  map[Ino]*node   // closed, and the kernel has yet to tell of the last release
	files    map[int64]*node // by the service's id
	dirs     map[int64]*node
	lastIno  Ino
	serial   uint64           // counts our changes at the service
	removed  map[int64]uint64 // files deleted here, with the number of that change
	removedD map[int64]uint64 // the same for directories
	dirty    map[int64]bool   // blocks to write
	dirtied  uint64           // counts changes of what is written
	// copyChanges are to be written with them.
	copyChanges []copyChange
	notes       map[place]servicePlace // of uploads under way, for the next run
	noteChanges []noteChange           // to be written, too
	tree        treeStatus
	closed      bool
}

// Open loads the state, sets aside what an earlier run left unfinished, and
// goes on with what is queued. No request is made before the first look-up.
func Open(o Options) (*Store, error) {
	o.setDefaults()
	s := &Store{
		o: o, closing: make(map[Ino]*node),
		nodes: make(map[Ino]*node), files: make(map[int64]*node), dirs: make(map[int64]*node),
		removed: make(map[int64]uint64), removedD: make(map[int64]uint64), dirty: make(map[int64]bool),
		notes: make(map[place]servicePlace),
	}
	s.base, s.end = context.WithCancel(context.Background())
	s.room = disk.Room{Disk: disk.Disk{Dir: o.State.Dir("spool"), Reserve: o.Reserve, Free: o.free}, Quota: o.Quota}
	s.spools.dir, s.spools.room, s.spools.sound = o.State.Dir("spool"), &s.room, &s.sound
	s.failures = failures{db: o.State.DB(), dir: o.State.Dir("failed"), room: &s.room, now: o.Now, sync: s.spools.syncDir, log: o.Log}
	s.unknown = unknown{db: o.State.DB()}
	s.halfMoves = halfMoves{db: o.State.DB()}
	s.places.init()
	s.flights.now = o.Now
	s.changes.Queue = notify.New()
	s.removals.path = filepath.Join(o.State.Dir("media"), "removals")
	s.table = newTable(o.State, s.unsaved, &s.sound, s.removals.written)
	s.ballast.path = filepath.Join(o.State.Dir("media"), "ballast")
	s.table.ballast = &s.ballast
	s.outbox = s.newOutbox()
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("opening the state of media/: %w", err)
	}
	_ = s.ballast.ready(ballastSize) // the first change tries again
	go s.table.run()
	go s.changes.Run()
	s.outbox.Start(remote.Background(s.base))
	return s, nil
}

// prepare reads and mends what is on disk.
func (s *Store) prepare() (err error) {
	cache := disk.Disk{Dir: s.o.State.CacheDir("media"), Reserve: s.o.Reserve, Free: s.o.free}
	if s.contents, err = contentcache.New(cache, s.o.CacheSize, s.o.KeptPDFs, func(at string) { step(at) }); err != nil {
		return err
	}
	if disk.Same(cache.Dir, s.room.Dir) {
		s.room.Cache = s.contents
	}
	if err := s.failures.load(); err != nil {
		return err
	}
	if err := errors.Join(s.unknown.load(), s.halfMoves.load()); err != nil {
		return err
	}
	closed, err := s.load()
	if err != nil {
		return err
	}
	left, err := s.leftSpools()
	if err != nil {
		return err
	}
	if err := s.loadTreeTime(); err != nil {
		return err
	}
	boot, rebooted, err := s.boot()
	if err != nil {
		return err
	}
	if err := s.loadRemovals(rebooted, left); err != nil {
		return err
	}
	if err := s.loadCopies(rebooted, left, closed); err != nil {
		return err
	}
	if len(s.halfMoves.left) > 0 || len(s.unknown.set) > 0 {
		s.tree.stale = true
	}
	if err := s.recoverDrafts(left); err != nil {
		return err
	}
	if err := s.recover(left, closed); err != nil || !rebooted {
		return err
	}
	s.tree.stale = true // the last that was noted of it may not have been on the disk
	return s.o.State.SetValue(bootKey, boot)
}

// Close waits for uploads that are under way, writes the state and ends. What
// is queued stays so for the next Open, which with Options.WriteBack goes for
// what is being sent from the queue, too. The account's state can be closed
// after it.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.outbox.Close(s.o.WriteBack)
	s.work.Wait()
	s.end()
	s.flights.wait()
	s.changes.Close()
	defer s.removals.close()
	return s.table.close()
}

// enter counts a change that Close waits for; s.work.Done ends it. It fails
// once the store is closed.
func (s *Store) enter() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed
	}
	s.work.Add(1)
	return nil
}

var errClosed = errors.New("the mount has ended")

// Sync returns when every change of the tree that was made before is durable.
func (s *Store) Sync() error {
	s.mu.RLock()
	upto := s.dirtied
	s.mu.RUnlock()
	return s.table.wait(upto)
}

// written is Sync for who needs only that it outlives the process.
func (s *Store) written() error {
	s.mu.RLock()
	upto := s.dirtied
	s.mu.RUnlock()
	return s.table.kept(upto)
}

// unsaved hands what has changed to the table.
func (s *Store) unsaved() (unsaved, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := unsaved{blocks: make(map[int64][]byte, len(s.dirty)), copies: s.copyChanges, notes: s.noteChanges}
	buffer := make(fields, 0, 8<<10)
	for number := range s.dirty {
		buffer = s.blockLocked(buffer[:0], number)
		u.blocks[number] = bytes.Clone(buffer)
	}
	if !s.tree.fetched.Equal(s.tree.kept) {
		s.tree.kept, u.treeRead = s.tree.fetched, s.tree.fetched
	}
	s.dirty, s.copyChanges, s.noteChanges = make(map[int64]bool), nil, nil // a map that held a whole tree is not kept
	return u, s.dirtied
}

// blockLocked adds one block to b; s.mu must be held.
func (s *Store) blockLocked(b fields, number int64) fields {
	for ino := Ino(number) * blockSize; blockOf(ino) == number; ino++ {
		if n := s.nodes[ino]; n != nil && (n.parent != nil || n == s.root) {
			b.inode(n)
		}
	}
	return b
}

// keepLocked has n written soon; s.mu must be held. The number is for
// table.wait, after s.mu was let go.
func (s *Store) keepLocked(n *node) uint64 {
	s.dirty[blockOf(n.ino)] = true
	s.dirtied++
	s.table.poke()
	return s.dirtied
}

// indexLocked makes n findable by the service's id; s.mu must be held.
func (s *Store) indexLocked(n *node) {
	if n.id != 0 {
		s.dirs[n.id] = n
	}
	if n.pub.id != 0 {
		s.files[n.pub.id] = n
	}
}

// unindexLocked undoes index; s.mu must be held.
func (s *Store) unindexLocked(n *node) {
	if s.files[n.pub.id] == n {
		delete(s.files, n.pub.id)
	}
	if s.dirs[n.id] == n {
		delete(s.dirs, n.id)
	}
}

// newNodeLocked makes an inode without a name; s.mu must be held.
func (s *Store) newNodeLocked(kind FileKind, mode uint32, uid, gid int64) *node {
	s.lastIno++
	now := s.now()
	n := newNode(s.lastIno, kind)
	n.mode, n.uid, n.gid = uint16(mode&(0o7777|ownMode)), uid, gid
	n.atime, n.mtime, n.ctime = now, now, now
	s.nodes[n.ino] = n
	return n
}

// unlinkLocked takes n's name; s.mu must be held. The inode goes with its last
// handle.
func (s *Store) unlinkLocked(n *node) {
	now := s.now()
	n.parent.mtime, n.parent.ctime = now, now
	s.keepLocked(n.parent)
	n.detach()
	s.unindexLocked(n)
	s.setQueuedLocked(n, false)
	n.on(unlinked)
	s.keepLocked(n)
	if n.handles == 0 {
		delete(s.nodes, n.ino)
	}
}

// linkLocked gives n a name; s.mu must be held.
func (s *Store) linkLocked(dir *node, name string, n *node) uint64 {
	dir.attach(name, n)
	now := s.now()
	dir.mtime, dir.ctime = now, now
	s.offerLocked(n)
	s.keepLocked(dir)
	return s.keepLocked(n)
}

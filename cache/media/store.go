package media

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Store is the media store of one account. Its methods may be called at the
// same time.
type Store struct {
	o        Options
	spools   spools
	contents *contents
	failures failures
	room     room
	table    *table
	places   places
	flights  flights
	changes  *changes
	unknown  unknown
	progress progress

	halfMoves halfMoves

	base context.Context // of requests that no caller's end may cut
	end  context.CancelFunc
	work sync.WaitGroup // what goes on behind the callers

	send chan struct{}      // wakes the sender of queued files
	quit chan struct{}      // closed by Close
	stop context.CancelFunc // cuts what is sent from the queue

	mu        sync.RWMutex // guards the rest, and the nodes
	root      *node
	nodes     map[Ino]*node // all inodes that have a name or an open handle
	queued    map[Ino]*node // those that wait to be sent
	line      []*node       // those of them that can be sent now, the next first
	order     uint64        // of the newest in the queue
	bustle    bustle
	copies    int  // of queued content in the database
	active    int  // being sent from the queue
	held      bool // nothing is sent from the queue for a while
	heldUntil time.Time
	holding   *time.Timer     // ends that
	pauses    int             // pauses of the queue since something was sent
	barred    error           // why the account was not let in when the queue tried last, nil once something was sent
	settling  int             // releases under way
	closing   map[Ino]*node   // closed, and the kernel has yet to tell of the last release
	files     map[int64]*node // by the service's id
	dirs      map[int64]*node
	lastIno   Ino
	serial    uint64           // counts our changes at the service
	removed   map[int64]uint64 // files deleted here, with the number of that change
	removedD  map[int64]uint64 // the same for directories
	dirty     map[Ino]bool     // rows to write
	dirtied   uint64           // counts changes of rows
	tree      treeStatus
	closed    bool
}

// Open loads the state, sets aside what an earlier run left unfinished, and
// goes on with what is queued. No request is made before the first look-up.
func Open(o Options) (*Store, error) {
	o.setDefaults()
	s := &Store{
		o: o, send: make(chan struct{}, 1), quit: make(chan struct{}), queued: make(map[Ino]*node), closing: make(map[Ino]*node),
		nodes: make(map[Ino]*node), files: make(map[int64]*node), dirs: make(map[int64]*node),
		removed: make(map[int64]uint64), removedD: make(map[int64]uint64), dirty: make(map[Ino]bool),
	}
	s.base, s.end = context.WithCancel(context.Background())
	s.room = room{disk: disk{o.State.Dir("spool"), o.Reserve, o.free}, quota: o.Quota}
	s.spools.dir, s.spools.room = o.State.Dir("spool"), &s.room
	s.failures = failures{db: o.State.DB(), dir: o.State.Dir("failed"), room: &s.room, now: o.Now}
	s.unknown = unknown{db: o.State.DB()}
	s.halfMoves = halfMoves{db: o.State.DB()}
	s.places.init()
	s.changes = newChanges()
	s.table = newTable(o.State, s.rowsToWrite)
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("opening the state of media/: %w", err)
	}
	go s.table.run()
	go s.changes.run()
	var ctx context.Context
	ctx, s.stop = context.WithCancel(s.base)
	s.work.Go(func() { s.sendQueued(ctx) })
	s.table.poke()
	return s, nil
}

// prepare reads and mends what is on disk.
func (s *Store) prepare() (err error) {
	cache := disk{s.o.State.CacheDir("media"), s.o.Reserve, s.o.free}
	if s.contents, err = newContents(cache, s.o.CacheSize); err != nil {
		return err
	}
	if sameDisk(cache.dir, s.room.dir) {
		s.room.cache = s.contents
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
	if err := s.loadCopies(rebooted, left, closed); err != nil {
		return err
	}
	if len(s.halfMoves.left) > 0 {
		s.tree.stale = true
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
	close(s.quit)
	if s.o.WriteBack {
		s.stop()
	}
	s.work.Wait()
	s.end()
	s.flights.wait()
	s.changes.close()
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

// load builds the tree from the rows, and gives the serials of the queued
// spools, 0 for the newest.
func (s *Store) load() (closed map[Ino]uint64, err error) {
	rows, last, err := s.table.load()
	if err != nil {
		return nil, err
	}
	closed = make(map[Ino]uint64)
	s.lastIno = max(last, Root)
	now := s.o.Now()
	s.root = &node{ino: Root, kind: Directory, mode: 0o755, uid: Owner, gid: Owner, atime: now, mtime: now, ctime: now}
	s.nodes[Root] = s.root
	for _, r := range rows {
		if r.ino == Root {
			s.root.mode, s.root.uid, s.root.gid = r.mode, r.uid, r.gid
			s.root.atime, s.root.mtime, s.root.ctime = r.atime, r.mtime, r.ctime
			continue
		}
		if s.nodes[r.ino] == nil {
			s.nodes[r.ino] = r.node()
		}
		if r.queued && r.kind == File {
			closed[r.ino] = r.spool
		}
	}
	for _, r := range rows {
		if r.ino == Root {
			continue
		}
		parent, n := s.nodes[r.parent], s.nodes[r.ino]
		if parent == nil || parent.kind != Directory {
			if n != nil && n.parent == nil { // a name that was taken while its row went
				delete(s.nodes, r.ino)
			}
			continue
		}
		if n == nil { // only its other name was
			n = r.node()
			s.nodes[r.ino] = n
		}
		parent.attach(r.name, n)
		s.index(n)
	}
	return closed, nil
}

// node makes the node of a row, without its name.
func (r row) node() *node {
	n := &node{
		ino: r.ino, kind: r.kind, local: r.local, queued: r.queued, target: r.target,
		mode: r.mode, uid: r.uid, gid: r.gid, atime: r.atime, mtime: r.mtime, ctime: r.ctime,
	}
	switch r.kind {
	case Directory:
		n.id = r.id
	case File:
		n.body = new(body)
		n.pub = version{id: r.id, size: r.size, kb: r.kb, sha256: r.sha256, url: r.url, modTime: r.sentMtime}
		if r.id != 0 && !r.queued {
			n.mtime = r.sentMtime
		}
	}
	return n
}

// rowsToWrite hands the changed rows to the table.
func (s *Store) rowsToWrite() ([]row, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]row, 0, len(s.dirty))
	for _, ino := range slices.Sorted(maps.Keys(s.dirty)) { // in the order in which they are stored
		rows = append(rows, s.rowOf(ino))
	}
	s.dirty = make(map[Ino]bool) // one that held a whole tree is not kept
	return rows, s.dirtied
}

func (s *Store) rowOf(ino Ino) row {
	n := s.nodes[ino]
	if n == nil || n.parent == nil && n != s.root {
		return row{ino: ino, gone: true}
	}
	r := row{
		ino: ino, name: n.name, kind: n.kind, local: n.local, queued: n.queued, id: max(n.id, n.pub.id),
		size: n.pub.size, kb: n.pub.kb, sha256: n.pub.sha256, url: n.pub.url, sentMtime: n.pub.modTime,
		mode: n.mode, uid: n.uid, gid: n.gid, atime: n.atime, mtime: n.mtime, ctime: n.ctime, target: n.target,
	}
	if n.delivery != nil {
		r.spool = n.delivery.spool
	}
	s.copyOf(n, &r)
	if n.parent != nil {
		r.parent = n.parent.ino
	}
	for _, l := range n.also {
		r.also = append(r.also, rowName{l.dir.ino, l.name})
	}
	return r
}

// keep has n's row written soon; s.mu must be held. The number is for
// table.wait, after s.mu was let go.
func (s *Store) keep(n *node) uint64 {
	s.dirty[n.ino] = true
	s.dirtied++
	s.table.poke()
	return s.dirtied
}

// index makes n findable by the service's id; s.mu must be held.
func (s *Store) index(n *node) {
	if n.id != 0 {
		s.dirs[n.id] = n
	}
	if n.pub.id != 0 {
		s.files[n.pub.id] = n
	}
}

// newNode makes an inode without a name; s.mu must be held.
func (s *Store) newNode(kind FileKind, mode uint32, uid, gid int64) *node {
	s.lastIno++
	now := s.o.Now()
	n := &node{ino: s.lastIno, kind: kind, mode: mode & 0o7777, uid: uid, gid: gid, atime: now, mtime: now, ctime: now}
	if kind == File {
		n.body = new(body)
	}
	s.nodes[n.ino] = n
	return n
}

// unlink takes n's name; s.mu must be held. The inode goes with its last
// handle.
func (s *Store) unlink(n *node) {
	now := s.o.Now()
	n.parent.mtime, n.parent.ctime = now, now
	s.keep(n.parent)
	n.detach()
	if s.files[n.pub.id] == n {
		delete(s.files, n.pub.id)
	}
	if s.dirs[n.id] == n {
		delete(s.dirs, n.id)
	}
	s.setQueued(n, false)
	s.keep(n)
	if n.handles == 0 {
		delete(s.nodes, n.ino)
	}
}

// link gives n a name; s.mu must be held.
func (s *Store) link(dir *node, name string, n *node) uint64 {
	dir.attach(name, n)
	now := s.o.Now()
	dir.mtime, dir.ctime = now, now
	s.offer(n)
	s.keep(dir)
	return s.keep(n)
}

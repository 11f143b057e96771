package media

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/lock"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/reading"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/failure"
	"paperfs/cache/media/waiter"
	"paperfs/cache/notify"
	"paperfs/remote"
)

// Store is the media store of one account. It is safe for concurrent use.
type Store struct {
	o        Options
	spools   spool.Dir
	contents *contentcache.Cache
	reads    *reading.Pool
	failures failed.Store
	room     disk.Room
	sound    disk.Soundness
	journal  *journal.Table
	names    waiter.Names
	flights  waiter.Flights
	changes  changes
	progress spool.Progress
	early    atomic.Pointer[early]

	base context.Context // for requests that outlive their caller
	end  context.CancelFunc
	work sync.WaitGroup // background work that Close waits for

	outbox *outbox.Outbox[*tree.Delivery] // the queue; its mutex ranks after mu
	pdfs   *outbox.Outbox[*tree.Delivery] // the same for PDFs of papers/

	mu           lock.RWMutex[lock.Store] // guards the rest, and the nodes
	root         *tree.Node
	papers       *tree.Node           // the twins of categories and papers; programs do not see it
	processor    Processor            // sends PDFs; nil: not set yet
	nodes        map[Ino]*tree.Node   // all inodes that have a name or an open handle
	copies       int                  // number of copies of queued content in the database
	barred       error                // why the service last rejected the account, when the queue tried; nil once something was sent
	finalizing   int                  // releases in progress
	closing      map[Ino]*tree.Node   // closed files whose last release the kernel has not sent yet
	files        map[int64]*tree.Node // by the service's id
	dirs         map[int64]*tree.Node
	lastIno      Ino
	serial       uint64           // counts this mount's changes at the service
	deletedFiles map[int64]uint64 // files that this mount deleted, with the serial of the deletion
	deletedDirs  map[int64]uint64 // the same for directories
	dirty        map[int64]bool   // numbers of blocks to be written
	block        journal.Fields   // the memory of one that is being made
	dirtyPDFs    map[Ino]*tree.Node
	dirtied      uint64 // counts changes to the rows
	// copyChanges are written in the same transaction.
	copyChanges []journal.CopyChange
	unknown     map[journal.ServiceName]journal.Sent // names whose last upload has an unknown outcome: it may still take effect
	notes       map[waiter.Name]note                 // of uploads in progress
	noteChanges []journal.NoteChange                 // written likewise
	getTree     treeStatus
	lastCopies  map[Ino][]byte // of a lost state, once the store is closed: see keepCopies
	closed      bool
	drop        func(*tree.Node) // drops what no name shows and nothing uses
	started     bool             // the queue is running; set before the store is used
}

// enter registers a change that Close waits for; the caller calls s.work.Done at its end. It
// fails once the store is closed.
func (s *Store) enter() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return journal.ErrClosed
	}
	s.work.Add(1)
	return nil
}

// Sync returns when all earlier changes of the tree are durable.
func (s *Store) Sync() error {
	s.mu.RLock()
	upto := s.dirtied
	s.mu.RUnlock()
	return s.journal.WaitSynced(upto)
}

// waitWritten returns when all earlier changes survive the end of the process; unlike Sync, it does
// not wait for the disk.
func (s *Store) waitWritten() error {
	s.mu.RLock()
	upto := s.dirtied
	s.mu.RUnlock()
	return s.journal.WaitWritten(upto)
}

// pendingChanges returns all changes that are not written yet, for the journal table.
func (s *Store) pendingChanges() (journal.Changes, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := journal.Changes{Blocks: make(map[int64][]byte, len(s.dirty)), Copies: s.copyChanges, Notes: s.noteChanges}
	changed := len(s.dirty)+len(s.dirtyPDFs)+len(s.copyChanges)+len(s.noteChanges) > 0 || s.closed
	if len(s.dirtyPDFs) > 0 {
		u.PDFs = make(map[Ino]*journal.PDF, len(s.dirtyPDFs))
	}
	for ino, n := range s.dirtyPDFs {
		if u.PDFs[ino] = nil; n.Draft != 0 && (n.Parent != nil || n.Spooled()) {
			u.PDFs[ino] = journal.PDFOf(n)
		}
	}
	clear(s.dirtyPDFs)
	for number := range s.dirty {
		s.block = s.blockLocked(s.block[:0], number)
		u.Blocks[number] = append([]byte{}, s.block...) // never nil
	}
	if changed && !s.getTree.fetched.Equal(s.getTree.saved) { // an answer that nothing changed writes nothing
		s.getTree.saved, u.TreeRead = s.getTree.fetched, s.getTree.fetched
	}
	s.dirty, s.copyChanges, s.noteChanges = make(map[int64]bool), nil, nil // a new map: the old one may have grown to hold a whole tree
	return u, s.dirtied
}

// blockLocked appends one block to b; s.mu must be held.
func (s *Store) blockLocked(b journal.Fields, number int64) journal.Fields {
	for ino := Ino(number) * journal.BlockSize; journal.BlockOf(ino) == number; ino++ {
		if n := s.nodes[ino]; n != nil && !n.InPapers(s.papers) && (n.Parent != nil || n == s.root || n.Spooled()) {
			b.Inode(n)
		}
	}
	return b
}

// saveLocked marks n's row to be written soon; s.mu must be held. The returned change number is
// for journal.WaitWritten and WaitSynced, to be called without s.mu.
func (s *Store) saveLocked(n *tree.Node) uint64 {
	if n.InPapers(s.papers) {
		return s.savePDFLocked(n)
	}
	s.dirty[journal.BlockOf(n.Ino)] = true
	s.dirtied++
	s.journal.Wake()
	return s.dirtied
}

// savePDFLocked is saveLocked for what is below papers/. Only files with a spool have a row.
func (s *Store) savePDFLocked(n *tree.Node) uint64 {
	if n.PDF != nil {
		known := s.knownLocked()
		s.dirtyPDFs[n.Ino] = n
		s.dirtied++
		s.getTree.validator, s.getTree.asOf = known, s.dirtied
		s.journal.Wake()
	}
	return s.dirtied
}

// now returns the current time as nodes store it.
func (s *Store) now() inode.Instant { return inode.InstantOf(s.o.Now()) }

// aging returns the current time for measuring the age of the service's answers. It includes
// the time in which the machine was suspended.
func (s *Store) aging() time.Time { return s.o.Now().Add(s.o.Slept()) }

// Subscribe sets the function that is called for each change from now on.
func (s *Store) Subscribe(tell func(Changed)) { s.changes.tell.Store(&tell) }

// WaitNotified waits until the subscriber has been called for all changes so far.
func (s *Store) WaitNotified(ctx context.Context) { s.changes.WaitNotified(ctx) }

// enterFor is enter for a change of names. It fails if the rows of the change could not be stored, with Full if the disk has
// no room for them.
func (s *Store) enterFor(room int64) error {
	full := func(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
	err := s.journal.Ready(room)
	for i := 0; full(err) && i < len(s.room.Caches); i++ {
		s.room.Caches[i].Evict(journal.BallastSize)
		err = s.journal.Ready(room)
	}
	if full(err) {
		return &Error{Kind: Full, Detail: "the disk that holds " + s.room.Dir + " is full; nothing was changed"}
	}
	if err != nil {
		return err
	}
	return s.enter()
}

// saveAttrLocked is saveLocked for a change that the reconciliation with the service's tree
// ignores.
func (s *Store) saveAttrLocked(n *tree.Node) {
	known := s.knownLocked()
	s.saveLocked(n)
	s.getTree.validator, s.getTree.asOf = known, s.dirtied
}

// knownLocked returns the validator of the service's tree if reconciling that tree again would
// change nothing. It is empty after any change of a node, even a local one; s.mu must be held.
func (s *Store) knownLocked() remote.Validator {
	if s.getTree.asOf != s.dirtied {
		return ""
	}
	return s.getTree.validator
}

// Changed reports what differs in one directory although no caller of this mount changed it.
type Changed struct {
	Dir     Ino
	Entries []string // names that appeared, disappeared or now refer to another file

	parted []*tree.Node // the files that they referred to
}

// changes are queued calls of the subscriber.
type changes struct {
	*notify.Queue
	tell atomic.Pointer[func(Changed)] // set by Subscribe
}

func (c *changes) add(list ...Changed) {
	tell := c.tell.Load()
	if tell == nil {
		return
	}
	for _, change := range list {
		c.Add(func() { (*tell)(change) })
	}
}

// treeStatus describes the last GetTree.
type treeStatus struct {
	fetched    time.Time        // when the last successful request began; zero: never
	saved      time.Time        // the value of fetched in the database
	tried      time.Time        // when the last request of this run began
	asked      time.Time        // when the last successful request of this run began, by Store.aging; zero: never
	unanswered bool             // a caller gave up waiting for the last request
	stale      bool             // the tree at the service may have changed
	notOffered error            // of the last request, if the service has no such operation, or a proxy says so: that counts as a tree that nothing changed
	fetching   bool             // a request is under way
	err        error            // of the last request
	odd        []string         // messages about entries that are left out or altered
	hidden     []string         // messages about entries that are not shown
	covered    []string         // paths of those that a local entry hides
	toldOdd    failure.Oddities // the messages of odd that were reported
	toldHidden failure.Oddities // likewise of hidden

	validator remote.Validator // of the answer reconciled last, if all of it was applied
	asOf      uint64           // the value of dirtied at which validator holds
}

package media

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"paperfs/cache/failure"
	"paperfs/cache/media/contentcache"
	"paperfs/cache/media/disk"
	"paperfs/cache/media/draft"
	"paperfs/cache/media/failed"
	"paperfs/cache/media/flight"
	"paperfs/cache/media/inode"
	"paperfs/cache/media/journal"
	"paperfs/cache/media/lock"
	"paperfs/cache/media/namelock"
	"paperfs/cache/media/outbox"
	"paperfs/cache/media/progress"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/tree"
	"paperfs/cache/notify"
	"paperfs/remote"
)

// Store is the media store of one account. Its methods may be called at the
// same time.
type Store struct {
	o          Options
	spools     spool.Dir
	contents   *contentcache.Cache
	failures   failed.Store
	room       disk.Room
	sound      disk.Soundness
	journal    *journal.Table
	ballast    journal.Ballast
	tombstones journal.Tombstones
	names      namelock.Table
	flights    flight.Flights
	changes    changes
	unknown    journal.Unknown
	progress   progress.Table

	intents journal.Intents

	base context.Context // of requests that no caller's end may cut
	end  context.CancelFunc
	work sync.WaitGroup // what goes on in the background

	outbox *outbox.Outbox[*tree.Delivery] // what is queued; its mutex is below mu
	drafts *draft.Set                     // PDFs of papers/

	mu           lock.RWMutex[lock.Store] // guards the rest, and the nodes
	root         *tree.Node
	nodes        map[Ino]*tree.Node   // all inodes that have a name or an open handle
	copies       int                  // of queued content in the database
	barred       error                // why the account was not let in when the queue tried last, nil once something was sent
	finalizing   int                  // releases under way
	closing      map[Ino]*tree.Node   // closed, and the kernel has yet to tell of the last release
	files        map[int64]*tree.Node // by the service's id
	dirs         map[int64]*tree.Node
	lastIno      Ino
	serial       uint64           // counts our changes at the service
	deletedFiles map[int64]uint64 // files deleted here, with the number of that change
	deletedDirs  map[int64]uint64 // the same for directories
	dirty        map[int64]bool   // blocks to write
	dirtied      uint64           // counts changes of what is written
	// copyChanges are to be written with them.
	copyChanges []journal.CopyChange
	notes       map[namelock.Name]journal.ServiceName // of uploads under way, for the next run
	noteChanges []journal.NoteChange                  // to be written, too
	tree        treeStatus
	treeRead    func() // called without locks after each answer that was compared
	closed      bool
	started     bool // what is queued is sent; not changed once the store is in use
}

// enter counts a change that Close waits for; s.work.Done ends it. It fails
// once the store is closed.
func (s *Store) enter() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return journal.ErrClosed
	}
	s.work.Add(1)
	return nil
}

// Sync returns when every change of the tree that was made before is durable.
func (s *Store) Sync() error {
	s.mu.RLock()
	upto := s.dirtied
	s.mu.RUnlock()
	return s.journal.WaitSynced(upto)
}

// written is Sync for who needs only that it outlives the process.
func (s *Store) written() error {
	s.mu.RLock()
	upto := s.dirtied
	s.mu.RUnlock()
	return s.journal.WaitWritten(upto)
}

// unsaved hands what has changed to the table.
func (s *Store) unsaved() (journal.Changes, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := journal.Changes{Blocks: make(map[int64][]byte, len(s.dirty)), Copies: s.copyChanges, Notes: s.noteChanges}
	buffer := make(journal.Fields, 0, 8<<10)
	for number := range s.dirty {
		buffer = s.blockLocked(buffer[:0], number)
		u.Blocks[number] = bytes.Clone(buffer)
	}
	if !s.tree.fetched.Equal(s.tree.saved) {
		s.tree.saved, u.TreeRead = s.tree.fetched, s.tree.fetched
	}
	s.dirty, s.copyChanges, s.noteChanges = make(map[int64]bool), nil, nil // a map that had a whole tree is not kept
	return u, s.dirtied
}

// blockLocked adds one block to b; s.mu must be held.
func (s *Store) blockLocked(b journal.Fields, number int64) journal.Fields {
	for ino := Ino(number) * journal.BlockSize; journal.BlockOf(ino) == number; ino++ {
		if n := s.nodes[ino]; n != nil && (n.Parent != nil || n == s.root) {
			b.Inode(n)
		}
	}
	return b
}

// saveLocked has n written soon; s.mu must be held. The number is for
// table.wait, after s.mu was let go.
func (s *Store) saveLocked(n *tree.Node) uint64 {
	s.dirty[journal.BlockOf(n.Ino)] = true
	s.dirtied++
	s.journal.Poke()
	return s.dirtied
}

// now is for the times of nodes.
func (s *Store) now() inode.Instant { return inode.InstantOf(s.o.Now()) }

// aging is now for the age of what the service has told. It counts the time in which the
// machine was suspended.
func (s *Store) aging() time.Time { return s.o.Now().Add(s.o.Slept()) }

// Subscribe names the one who is told of changes from now on.
func (s *Store) Subscribe(tell func(Changed)) { s.changes.tell.Store(&tell) }

// Told waits until the subscriber was told of all changes up to now.
func (s *Store) Told(ctx context.Context) { s.changes.Told(ctx) }

// enterFor is enter for a change of names, which fails with Full where its row could
// not be kept.
func (s *Store) enterFor(room int64) error {
	err := s.ballast.Ready(room)
	if err != nil && s.room.Cache != nil {
		s.room.Cache.GiveWay(journal.BallastSize)
		err = s.ballast.Ready(room)
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return &Error{Kind: Full, Detail: "the disk that holds " + s.room.Dir + " is full; nothing was changed"}
	}
	if err != nil {
		return err
	}
	return s.enter()
}

// saveAttrLocked is saveLocked for a change that the comparison with the service's tree
// does not look at.
func (s *Store) saveAttrLocked(n *tree.Node) {
	known := s.knownLocked()
	s.saveLocked(n)
	s.tree.validator, s.tree.asOf = known, s.dirtied
}

// knownLocked is the validator of the service's tree, if that is what is here: then
// comparing it again would change nothing. It is empty where a node was changed
// here since, if only a local one; s.mu must be held.
func (s *Store) knownLocked() remote.Validator {
	if s.tree.asOf != s.dirtied {
		return ""
	}
	return s.tree.validator
}

// Changed tells what is different in one directory though no caller of this
// mount's changed it.
type Changed struct {
	Dir      Ino
	Entries  []string // names that came, went or stand for another file
	Contents []string // names of files with other content or attributes
}

// changes are what the subscriber is to be told of.
type changes struct {
	*notify.Queue
	tell atomic.Pointer[func(Changed)] // the subscriber's
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

// treeStatus is what is known of GetTree.
type treeStatus struct {
	fetched    time.Time // when the last good one was asked for; zero: never
	saved      time.Time // the same as the state has it
	tried      time.Time // when the last one was asked for in this run
	asked      time.Time // when the last good one was asked for in this run, by Store.aging; zero: never
	unanswered bool      // somebody has waited in vain for the one asked for last
	stale      bool      // somebody has reason to think that the service has changed
	notOffered bool
	err        error            // of the last one
	unshown    int              // names in it that cannot be shown
	odd        []string         // what in it is left out, or shown as well as can be, in words
	hidden     []string         // what in it is not shown here, in words
	toldOdd    failure.Oddities // those of odd that were reported
	toldHidden failure.Oddities // those of hidden

	validator remote.Validator // of the answer that was compared last, if all of it is here
	asOf      uint64           // dirtied, when nothing had changed here since
}

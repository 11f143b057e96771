package names

import (
	"context"
	"sync"
	"time"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/lock"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/tree"
	"paperfs/cache/failure"
	"paperfs/cache/media/option"
	"paperfs/cache/media/waiter"
	"paperfs/cache/notify"
	"paperfs/remote"
)

// Tree has the inodes of an account with their names. It is safe for concurrent use.
type Tree struct {
	o            *option.Options
	Journal      *journal.Table
	Locks        waiter.Names
	Changes      changes
	Base         context.Context                // for requests that outlive their caller
	Work         sync.WaitGroup                 // background work that Close waits for
	Outbox       *outbox.Outbox[*tree.Delivery] // the queue; its mutex ranks after mu
	PDFQueue     *outbox.Outbox[*tree.Delivery] // the same for PDFs of papers/
	Mu           lock.RWMutex[lock.Store]       // guards the rest, and the nodes
	Root         *tree.Node
	Papers       *tree.Node               // the twins of categories and papers; programs do not see it
	Nodes        map[inode.Ino]*tree.Node // all inodes that have a name or an open handle
	copies       int                      // number of copies of queued content in the database
	Closing      map[inode.Ino]*tree.Node // closed files whose last release the kernel has not sent yet
	Files        map[int64]*tree.Node     // by the service's id
	Dirs         map[int64]*tree.Node
	LastIno      inode.Ino
	Serial       uint64           // counts this mount's changes at the service
	DeletedFiles map[int64]uint64 // files that this mount deleted, with the serial of the deletion
	DeletedDirs  map[int64]uint64 // the same for directories
	dirtyBlocks  map[int64]bool   // numbers of blocks to be written
	block        journal.Fields   // the memory of one that is being made
	dirtyPDFs    map[inode.Ino]*tree.Node
	dirtied      uint64 // counts changes to the rows
	copyChanges  []journal.CopyChange
	unknown      map[journal.ServiceName]journal.Sent // names whose last upload has an unknown outcome: it may still take effect
	notes        map[waiter.Name]note                 // of uploads in progress
	noteChanges  []journal.NoteChange                 // written likewise
	GetTree      TreeStatus
	Closed       bool
	Drop         func(*tree.Node) // drops what no name shows and nothing uses
}

// New returns an empty tree. What it starts ends with base.
func New(base context.Context, o *option.Options, sound *disk.Soundness) *Tree {
	t := &Tree{
		o: o, Base: base, Closing: make(map[inode.Ino]*tree.Node),
		Nodes: make(map[inode.Ino]*tree.Node), Files: make(map[int64]*tree.Node), Dirs: make(map[int64]*tree.Node),
		DeletedFiles: make(map[int64]uint64), DeletedDirs: make(map[int64]uint64), dirtyBlocks: make(map[int64]bool),
		dirtyPDFs: make(map[inode.Ino]*tree.Node), Papers: tree.NewNode(0, inode.Directory),
		notes: make(map[waiter.Name]note),
	}
	t.Papers.ID = -1 // no category of the service has it
	t.Locks.Init()
	t.Changes.Queue = notify.New()
	t.Journal = journal.New(o.State, t.PendingChanges, sound)
	return t
}

// Enter registers a change that Close waits for; the caller calls s.work.Done at its end. It
// fails once the store is closed.
func (s *Tree) Enter() error {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	if s.Closed {
		return journal.ErrClosed
	}
	s.Work.Add(1)
	return nil
}

// Now returns the current time as nodes store it.
func (s *Tree) Now() inode.Instant { return inode.InstantOf(s.o.Now()) }

// Aging returns the current time for measuring the age of the service's answers. It includes
// the time in which the machine was suspended.
func (s *Tree) Aging() time.Time { return s.o.Now().Add(s.o.Slept()) }

// TreeStatus describes the last GetTree.
type TreeStatus struct {
	Fetched        time.Time        // when the last successful request began; zero: never
	Saved          time.Time        // the value of fetched in the database
	Tried          time.Time        // when the last request of this run began
	Asked          time.Time        // when the last successful request of this run began, by Store.aging; zero: never
	Unanswered     bool             // a caller gave up waiting for the last request
	Stale          bool             // the tree at the service may have changed
	NotOffered     error            // of the last request, if the service has no such operation, or a proxy says so: that counts as a tree that nothing changed
	Fetching       bool             // a request is under way
	Err            error            // of the last request
	Odd            []string         // messages about entries that are left out or altered
	Hidden         []string         // messages about entries that are not shown
	Covered        []string         // paths of those that a local entry hides
	ReportedOdd    failure.Oddities // the messages of odd that were reported
	ReportedHidden failure.Oddities // likewise of hidden

	Validator remote.Validator // of the answer reconciled last, if all of it was applied
	AsOf      uint64           // the value of dirtied at which validator holds
}

// Begin notes that the tree is asked for. What was stale is not recent before the answer.
func (t *TreeStatus) Begin(at time.Time) {
	if t.Stale {
		t.Asked = time.Time{}
	}
	t.Tried, t.Stale, t.Unanswered, t.Fetching = at, false, false, true
}

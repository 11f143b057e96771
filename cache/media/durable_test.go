package media

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/journal"
	"paperfs/cache/state"
)

// syncs records the order of a store's writes and syncs.
type syncs struct {
	journal.State
	mu   sync.Mutex
	seen []string
}

const (
	rows     = "rows"     // the rows were written to the database
	database = "database" // the database was synced
	content  = "content"  // content in the spool, or its directory, was synced
)

func (s *syncs) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, what)
}

func (s *syncs) since(mark int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen[mark:])
}

func (s *syncs) Unsynced(changes ...state.Statement) error {
	err := s.State.Unsynced(changes...)
	s.note(rows)
	return err
}

func (s *syncs) Sync() error {
	err := s.State.Sync()
	s.note(database)
	return err
}

// syncing replaces the syncs of files, until the store of the test is closed. Such a test runs alone.
func syncing(t *testing.T, by func(file *os.File, sync func(*os.File) error) error) {
	sync := disk.SyncFile
	t.Cleanup(func() { disk.SyncFile = sync })
	disk.SyncFile = func(file *os.File) error { return by(file, sync) }
}

// syncing reopens f's store and records its syncs. Nothing else may run in the meantime.
func (f *fixture) syncing(t *testing.T) *syncs {
	f.close()
	noted := new(syncs)
	syncing(t, func(file *os.File, sync func(*os.File) error) error {
		defer noted.note(content)
		return sync(file)
	})
	f.around = func(s journal.State) journal.State {
		noted.State = s
		return noted
	}
	f.open()
	return noted
}

// TestTheOnlyCopyIsSyncedBeforeADeletion moves a published file to a scratch name with mv,
// which leaves only the local content. So the store syncs the content first, then the intent
// to send it again, and only then deletes the file at the service.
func TestTheOnlyCopyIsSyncedBeforeADeletion(t *testing.T) {
	for name, before := range map[string]func(f *fixture){
		"in the cache": func(f *fixture) {
			_, err := f.read(f.lookup(Root, "a").Ino)
			require.NoError(t, err)
		},
		"only at the service": func(f *fixture) { f.lookup(Root, "a") },
		"written since then":  func(f *fixture) { f.lookup(Root, "a"); f.requeue("two"); f.service.goAway(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			f := makeFixture(t, t.TempDir(), writingBack, deleting)
			noted := f.syncing(t) // closed after the store
			t.Cleanup(f.close)
			f.service.set(0, "a", "one")
			before(f)
			require.NoError(t, f.store.Sync())
			mark := len(noted.since(0))
			open := sync.OnceFunc(f.service.hold("DeleteFile"))
			defer open()
			moved := make(chan error, 1)
			go func() { moved <- f.rename(Root, "a", Root, ".a") }()
			require.Equal(t, "DeleteFile", <-f.service.entered)
			seen := noted.since(mark)
			require.Subset(t, seen, []string{content, rows, database})
			seen = seen[slices.Index(seen, content):]
			require.Contains(t, seen, rows)
			require.Contains(t, seen[slices.Index(seen, rows):], database)
			open()
			require.NoError(t, <-moved)
		})
	}
}

// TestLeavingTheQueueIsSynced checks that rm of a queued file, and mv of it to a
// scratch name, return once the change is synced, so that a power loss does not restore
// content to publish.
func TestLeavingTheQueueIsSynced(t *testing.T) {
	for name, leave := range map[string]func(f *fixture) error{
		"rm":            func(f *fixture) error { return f.store.Unlink(ctx, Root, "a") },
		"mv to scratch": func(f *fixture) error { return f.rename(Root, "a", Root, ".a") },
		"mv of another file over it": func(f *fixture) error {
			_, err := f.create(Root, ".b", "two")
			require.NoError(t, err)
			return f.rename(Root, ".b", Root, "a")
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := makeFixture(t, t.TempDir(), writingBack)
			noted := f.syncing(t) // closed after the store
			t.Cleanup(f.close)
			open := f.service.hold("UploadFile")
			defer open()
			_, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			<-f.service.entered
			require.NoError(t, f.store.Sync())
			mark := len(noted.since(0))
			require.NoError(t, leave(f))
			seen := noted.since(mark)
			require.Contains(t, seen, rows)
			require.Contains(t, seen[slices.Index(seen, rows):], database)
		})
	}
}

// requeue overwrites a, which stays queued.
func (f *fixture) requeue(content string) {
	f.service.goAway(unreachable)
	require.NoError(f.t, f.overwrite(f.lookup(Root, "a").Ino, content))
}

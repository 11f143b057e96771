package media

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/reading"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/waiter"
	"paperfs/cache/notify"
	"paperfs/remote"
)

// Open loads the state, moves unfinished content of an earlier run to failed/, and starts the
// queue unless o.Paused is set. It sends no request; the first lookup does.
func Open(o Options) (*Store, error) {
	o.setDefaults()
	s := &Store{
		o: o, closing: make(map[Ino]*tree.Node),
		nodes: make(map[Ino]*tree.Node), files: make(map[int64]*tree.Node), dirs: make(map[int64]*tree.Node),
		deletedFiles: make(map[int64]uint64), deletedDirs: make(map[int64]uint64), dirty: make(map[int64]bool),
		dirtyPDFs: make(map[Ino]*tree.Node), papers: tree.NewNode(0, Directory),
		notes: make(map[waiter.Name]note),
	}
	s.base, s.end = context.WithCancel(context.Background())
	s.room = disk.Room{Disk: disk.Disk{Dir: o.State.Dir("spool"), Reserve: o.Reserve, Free: o.free}, Quota: o.Quota}
	s.spools.Path, s.spools.Room, s.spools.Sound = o.State.Dir("spool"), &s.room, &s.sound
	s.spools.Synced, s.sound.Judge = o.WriteBack, o.State.Judge
	s.failures = failed.Store{DB: o.State.DB(), Dir: o.State.Dir("failed"), Room: &s.room, Now: o.Now, Sync: s.spools.SyncDir, Written: s.waitWritten, Temporary: s.temporary, Log: o.Log}
	s.drop = func(n *tree.Node) { _ = s.dropApart(n) } // an error is handled there
	s.names.Init()
	s.flights.Now = s.aging
	s.changes.Queue = notify.New()
	s.progress.Ended = s.wakeEarly
	s.journal = journal.New(o.State, s.pendingChanges, &s.sound)
	debounce := s.o.Debounce
	if !s.o.WriteBack {
		debounce = 0
	}
	s.outbox, s.pdfs = s.newOutbox(debounce), s.newOutbox(0)
	s.papers.ID = -1 // no category of the service has it
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("opening the state of media/: %w", err)
	}
	_ = s.journal.Ready(journal.BallastSize) // the first change tries again
	cut, err := journal.Begin(o.State)
	if err != nil { // a full disk: if this run is killed, the next one does not know
		o.Log.Warn("cannot record that the mount has begun", "error", err)
	}
	s.getTree.stale = s.getTree.stale || cut
	go s.journal.Run()
	go s.changes.Run()
	if !o.Paused {
		s.Start()
	}
	return s, nil
}

// Start starts sending the queue. Open calls it unless Options.Paused is set.
func (s *Store) Start() {
	if s.o.ReadOnly {
		return
	}
	s.started = true
	s.outbox.Start(remote.Background(s.base))
	s.pdfs.Start(remote.Background(s.base))
}

// prepare loads and repairs the state on disk.
func (s *Store) prepare() (err error) {
	cache := disk.Disk{Dir: s.o.State.CacheDir("media"), Reserve: s.o.Reserve, Free: s.o.free}
	if s.contents, err = contentcache.New(cache, s.o.CacheSize, s.o.PinnedPDFs); err != nil {
		return err
	}
	s.reads = reading.NewPool(s.o.Service, s.contents.Keeper())
	if disk.Same(cache.Dir, s.room.Dir) {
		s.room.Caches = append(s.room.Caches, evictable{s.contents, s.reads})
	}
	s.room.Caches = append(s.room.Caches, s.o.Kept...)
	if err := s.failures.Load(); err != nil {
		return err
	}
	if s.unknown, err = journal.LoadUnknown(s.o.State.DB()); err != nil {
		return err
	}
	rows, err := s.load()
	if err != nil {
		return err
	}
	found, err := s.spools.Leftovers()
	if err != nil {
		return err
	}
	s.spools.Used(s.failures.Serial())
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
	if len(s.unknown) > 0 {
		s.getTree.stale = true
	}
	if err := s.recover(leftovers, rows); err != nil {
		return err
	}
	if err := errors.Join(s.failures.Forget(), s.spools.Forget()); err != nil || !rebooted {
		return err
	}
	s.getTree.stale = true // the last recorded changes may not have reached the disk
	return s.o.State.SetValue(bootKey, boot)
}

// Close waits for uploads in progress, writes the state and ends the store. Queued content
// stays queued for the next Open; with Options.WriteBack, uploads from the queue are
// interrupted and stay queued, too. The account's state can be closed afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stopEarly()
	if s.started {
		s.outbox.Close(s.o.WriteBack || s.Lost())
		s.pdfs.Close(true)
	}
	s.work.Wait()
	if s.Lost() {
		s.keepCopies()
	}
	s.end()
	s.reads.Close()
	s.flights.Wait()
	s.changes.Close()
	if err := s.journal.Close(); err != nil {
		return err
	}
	if err := journal.End(s.o.State); err != nil { // the next run reads the tree again
		s.o.Log.Warn("cannot record that the mount has ended", "error", err)
	}
	return nil
}

// newOutbox creates the outbox for queued nodes.
func (s *Store) newOutbox(debounce time.Duration) *outbox.Outbox[*tree.Delivery] {
	return outbox.New(outbox.Options[*tree.Delivery]{
		Send: s.deliver, Ready: s.ready, Senders: s.o.Transfers, Pause: s.o.pause, Debounce: debounce, Now: s.o.Now,
	})
}

// load builds the tree from the database and returns the recorded spools by inode.
func (s *Store) load() (rows map[Ino]journal.Spool, err error) {
	rows = make(map[Ino]journal.Spool)
	names, last, err := journal.Load(s.o.State.DB(), func(n *tree.Node, spool journal.Spool) {
		s.nodes[n.Ino] = n
		if (n.Queued() || n.Local()) && n.Kind == File || spool.Draft != 0 {
			rows[n.Ino] = spool
			n.Own().Draft = spool.Draft
		}
	})
	if err != nil {
		return nil, err
	}
	s.lastIno = max(last, Root)
	if s.root = s.nodes[Root]; s.root == nil {
		now := s.now()
		s.root = tree.NewNode(Root, Directory)
		s.root.Mode, s.root.UID, s.root.GID = 0o755, Owner, Owner
		s.root.Atime, s.root.Mtime, s.root.Ctime = now, now, now
		s.nodes[Root] = s.root
	}
	for _, l := range names {
		if parent := s.nodes[l.Parent]; parent != nil && parent.Kind == Directory && parent.Children[l.Name] == nil && l.Node.Kind <= Symlink { // an earlier paperfs had pipes and sockets
			parent.Attach(l.Name, l.Node)
		}
	}
	for ino, n := range s.nodes {
		if n.Parent == nil && n != s.root {
			if n.Kind == File && n.Target != "" { // content that lost its name, Target
				n.On(tree.Parted)
				n.Own().Lost = n.Target
			} else {
				delete(s.nodes, ino)
			}
			continue
		}
		s.indexLocked(n)
	}
	return rows, nil
}

// bootKey is the key for the boot ID of the machine at the last Open.
const bootKey = "media.boot"

// boot returns the current boot ID, and whether the machine has, or may have, rebooted since
// the last Open.
func (s *Store) boot() (name string, another bool, err error) {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // if unreadable, assume a reboot
	last, _, err := s.o.State.Value(bootKey)
	return string(id), last == "" || last != string(id), err
}

// loadTreeTime loads the time of the last GetTree.
func (s *Store) loadTreeTime() error {
	text, found, err := s.o.State.Value(journal.TreeKey)
	if err != nil || !found {
		return err
	}
	nano, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the media tree: %w", err)
	}
	s.getTree.fetched = time.Unix(0, nano)
	s.getTree.saved = s.getTree.fetched
	return nil
}

package media

import (
	"context"
	"fmt"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/journal"
	"paperfs/cache/media/body"
	"paperfs/cache/media/handle"
	"paperfs/cache/media/names"
	"paperfs/cache/media/naming"
	"paperfs/cache/media/option"
	"paperfs/cache/media/queue"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/recovery"
	"paperfs/cache/media/upload"
	"paperfs/remote"
)

// Store is the media store of one account. It is safe for concurrent use.
type Store struct {
	o       *option.Options
	end     context.CancelFunc
	started bool // the queue is running; set before the store is used

	// From below: each uses those above it here.
	*names.Tree
	*reconcile.Reconciler
	*body.Bodies
	*upload.Uploader
	*handle.Handles
	*queue.Sender
	*naming.Naming
	*recovery.Recovery
}

// Open loads the state, moves unfinished content of an earlier run to failed/, and starts the
// queue unless o.Paused is set. It sends no request; the first lookup does.
func Open(o Options) (*Store, error) {
	o.SetDefaults()
	s, sound := &Store{o: &o}, &disk.Soundness{Judge: o.State.Judge}
	base, end := context.WithCancel(context.Background())
	s.end = end
	s.Tree = names.New(base, &o, sound)
	s.Reconciler = reconcile.New(&o, s.Tree)
	var err error
	if s.Bodies, err = body.New(&o, s.Tree, s.Reconciler, sound); err == nil {
		s.Uploader = upload.New(&o, s.Tree, s.Reconciler, s.Bodies)
		s.Handles = handle.New(&o, s.Tree, s.Reconciler, s.Bodies, s.Uploader)
		s.Sender = queue.New(&o, s.Tree, s.Reconciler, s.Bodies, s.Uploader, s.Handles)
		s.Naming = naming.New(&o, s.Tree, s.Reconciler, s.Bodies, s.Uploader, s.Handles)
		s.Recovery = recovery.New(&o, s.Tree, s.Bodies, s.Sender)
		err = s.Recover()
	}
	if err != nil {
		return nil, fmt.Errorf("opening the state of media/: %w", err)
	}
	_ = s.Journal.Ready(journal.BallastSize) // the first change tries again
	cut, err := journal.Begin(o.State)
	if err != nil { // a full disk: if this run is killed, the next one does not know
		o.Log.Warn("cannot record that the mount has begun", "error", err)
	}
	s.GetTree.Stale = s.GetTree.Stale || cut
	go s.Journal.Run()
	go s.Changes.Run()
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
	s.Outbox.Start(remote.Background(s.Base))
	s.PDFQueue.Start(remote.Background(s.Base))
}

// Close waits for uploads in progress, writes the state and ends the store. Queued content
// stays queued for the next Open; with Options.WriteBack, uploads from the queue are
// interrupted and stay queued, too. The account's state can be closed afterwards.
func (s *Store) Close() error {
	s.Mu.Lock()
	s.Closed = true
	s.Mu.Unlock()
	s.StopEarly()
	if s.started {
		s.Outbox.Close(s.o.WriteBack || s.Lost())
		s.PDFQueue.Close(true)
	}
	s.Work.Wait()
	s.end()
	s.Reads.Close()
	s.Flights.Wait()
	if s.Lost() {
		s.KeepCopies()
	}
	s.Changes.Close()
	if err := s.Journal.Close(); err != nil {
		return err
	}
	if err := journal.End(s.o.State); err != nil { // the next run reads the tree again
		s.o.Log.Warn("cannot record that the mount has ended", "error", err)
	}
	return nil
}

// MoveUnsent moves what is queued or in failed/ here to failed/ of another store: see Recovery.
func (s *Store) MoveUnsent(to *Store, reason error) (moved int, err error) {
	return s.Recovery.MoveUnsent(to.Recovery, reason)
}

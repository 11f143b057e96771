package queue

import (
	"context"
	"slices"
	"strings"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// Queued is a file or directory that is queued or being sent.
type Queued struct {
	Path       string    // below media/; of a paper's PDF the same as Place
	Place      string    // from the mount's root
	Size, Sent int64     // bytes; Sent restarts at 0 with each attempt
	Attempts   int       // number of failed attempts
	NextTry    time.Time // zero if only earlier entries delay it
	LastError  string
	Sending    bool
}

// Queue returns the queue in sending order.
func (s *Sender) Queue() (list []Queued) {
	sent := s.uploads.Progress.ByPath()
	s.names.Mu.RLock()
	for _, item := range append(s.names.Outbox.List(), s.names.PDFQueue.List()...) {
		n := item.Key.Node
		list = append(list, queuedOf(s.names.ShownLocked(n), n.Size, item, sent))
	}
	s.names.Mu.RUnlock()
	if s.o.ReadOnly {
		for i := range list {
			list[i].LastError = SendsNothing
		}
	}
	return list
}

// queuedOf describes an entry of a queue. A leading slash marks the path of a PDF.
func queuedOf(path string, size int64, item outbox.Item[*tree.Delivery], sent map[string]int64) Queued {
	q := Queued{Path: strings.TrimPrefix(path, "/"), Place: tree.MountPath(path), Size: size, Attempts: item.Failures, NextTry: item.Next, Sending: item.State.Active()}
	if item.Last != nil {
		q.LastError = item.Last.Error()
	}
	if q.Sending {
		q.Sent = sent[path]
	}
	return q
}

// SendsNothing explains why the queue waits in a read-only mount.
const SendsNothing = "this mount is read-only and sends nothing: mount without --read-only"

// Idle reports whether nothing is queued or being sent, and every closed file is finalized.
func (s *Sender) Idle() bool {
	return s.names.Is(func() bool {
		return s.names.Outbox.Idle() && s.names.PDFQueue.Idle() && s.handles.SettledLocked() && s.uploads.Progress.Idle()
	})
}

// drainInterval is the polling interval of Drain.
const drainInterval = 20 * time.Millisecond

// Drain retries the queue, and returns when the store is idle, with ctx's error, or with that of a state that cannot be written: nothing is sent then.
func (s *Sender) Drain(ctx context.Context) error {
	if s.o.ReadOnly {
		return nil // nothing is sent
	}
	s.RetryNow()
	tick := time.NewTicker(drainInterval)
	defer tick.Stop()
	for !s.Idle() {
		if err := s.o.State.Writable(); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// RetryNow ends all pauses, that of a service which was away among them, and retries the queue now.
func (s *Sender) RetryNow() {
	s.o.Service.AskNow()
	s.names.Outbox.Retry()
	s.names.PDFQueue.Retry()
}

// DiscardQueued gives up on a queued file, or on a queued directory with everything in it: it
// moves the content to failed/ and shows the service's version again. It cancels an upload in
// progress, unless the service may already have all of it. The path of a PDF begins with a
// slash, as in FailedEntry.
func (s *Sender) DiscardQueued(path string) error {
	if err := s.names.Enter(); err != nil {
		return err
	}
	defer s.names.Work.Done()
	s.names.Mu.Lock()
	n := s.findQueuedLocked(path)
	if n == nil || n.Delivery == nil {
		s.names.Mu.Unlock()
		return &refusal.Error{Kind: refusal.NotFound, Name: path, Detail: "nothing is queued under this name"}
	}
	d := n.Delivery
	s.names.StopLocked(d)
	if n.PDF != nil {
		d.Queue.Interrupt(d) // even if the service may have all of it: nobody waits for that answer
	}
	s.names.Mu.Unlock()
	s.names.LockNode(n)() // wait until nothing of it is being sent
	s.names.Mu.RLock()
	gone := n.Delivery != d
	s.names.Mu.RUnlock()
	switch {
	case gone:
		return &refusal.Error{Kind: refusal.NotFound, Name: path, Detail: "it is not queued any more"}
	case n.Kind == inode.Directory:
		return s.FailDir(n, ErrDiscarded)
	}
	return s.FailFile(n, d, tree.Verdict{Reason: ErrDiscarded, Gen: AnyGen})
}

// findQueuedLocked returns what has a path, of PDFs a queued one; Tree.Mu must be held.
func (s *Sender) findQueuedLocked(path string) *tree.Node {
	if !strings.HasPrefix(path, "/") {
		return s.names.FindLocked(path)
	}
	for _, n := range s.names.PDFsLocked() {
		if s.names.ShownLocked(n) == path && n.Queued() {
			return n
		}
	}
	return nil
}

// Uploads lists uploads in progress, then queued ones, each by path.
func (s *Sender) Uploads() []Upload {
	var list []Upload
	for _, c := range s.uploads.Progress.List() {
		list = append(list, Upload{Path: strings.TrimPrefix(c.Path(), "/"), Place: tree.MountPath(c.Path()), Sent: c.Sent(), Total: c.Length, Since: c.Since})
	}
	for _, q := range s.Queue() {
		if !q.Sending { // else it is listed already, or about to start
			list = append(list, Upload{Path: q.Path, Place: q.Place, Total: q.Size, Waiting: true})
		}
	}
	slices.SortFunc(list, func(a, b Upload) int {
		if a.Waiting != b.Waiting {
			if a.Waiting {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Path, b.Path)
	})
	return list
}

// Upload is an upload that is in progress or queued.
type Upload struct {
	Path    string // below media/; of a paper's PDF the same as Place
	Place   string // from the mount's root
	Sent    int64  // bytes sent; restarts at 0 when the request is repeated
	Total   int64
	Since   time.Time // start time; zero while it waits
	Waiting bool
}

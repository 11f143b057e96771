package upload

import (
	"context"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/remote"
)

// early is the one upload that began while a program still writes the file. It sends what a close is about to publish,
// and requires the same version; the close gives it the last bytes, under the lock of the name. Everything else ends
// it, and a close that finds it ended sends from the spool. It relies on a service that drops a request without its
// last bytes, takes content raw, and compares versions: contract, 4.10.
type early struct {
	content *spool.Early
	at      names.Target
	under   remote.Condition
	cancel  context.CancelFunc
	done    chan struct{}
	up      remote.Upload // once done is closed
	err     error         // likewise
}

// BeginEarlyBodyLocked begins the upload of n, which is being written and was before bytes long, if it has just become
// long enough; Body.Mu must be held.
func (s *Uploader) BeginEarlyBodyLocked(n *tree.Node, sp *spool.File, before int64) {
	if before >= spool.EarlySize || sp.Size < spool.EarlySize || !sp.InOrder() || s.early.Load() != nil || s.o.Own != nil || s.o.WriteBack {
		return
	}
	at, ok := s.earlyTarget(n)
	if !ok {
		return
	}
	ctx, cancel := context.WithCancel(s.names.Base)
	e := &early{at: at, under: remote.Condition{If: at.Base}, cancel: cancel, done: make(chan struct{})}
	content, err := sp.BeginEarly(func() bool { return !s.Progress.Idle() }, cancel)
	if err != nil {
		cancel()
		return
	}
	e.content = content
	switch {
	case !s.early.CompareAndSwap(nil, e): // another file's came first
	case s.names.Enter() != nil: // StopEarly may have looked before
		s.early.CompareAndSwap(e, nil)
		e.err = journal.ErrClosed
		close(e.done)
	default:
		go s.sendEarly(remote.Under(ctx, &e.under), e)
		return
	}
	content.Stop()
	content.Close()
}

// sendEarly sends e to its end.
func (s *Uploader) sendEarly(ctx context.Context, e *early) {
	defer s.names.Work.Done()
	e.up, e.err = s.o.Service.UploadFile(ctx, e.at.ID, e.at.Name, e.content)
	e.content.Stop()
	e.content.Close()
	e.cancel()
	s.early.CompareAndSwap(e, nil)
	close(e.done)
}

// earlyTarget returns where the close of n will send its content, as far as is known. ok is false if that may be
// nowhere, or if the service would not judge what it replaces.
func (s *Uploader) earlyTarget(n *tree.Node) (at names.Target, ok bool) {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	if n.Local() || n.Parent == nil || n.PDF != nil || n.Lost != "" || n.Theirs.ID != 0 || !n.Parent.Made() {
		return at, false
	}
	at = names.TargetIn(n.Parent, n.Name)
	at.Base = s.reconciler.BaseLocked(n.Pub)
	return at, at.Base != 0
}

// endEarly gives the early upload of content its last bytes, and returns its outcome. It returns false if no early
// upload sends this content to at; then the caller sends it.
func (s *Uploader) endEarly(ctx context.Context, at names.Target, content *spool.Content) (remote.Upload, bool, error) {
	e := s.early.Load()
	if e == nil || e.content != content.Early || content.Gate != nil || e.at.ID != at.ID || e.at.Name != at.Name || e.at.Base != at.Base || !e.content.End(content) {
		content.Early.Stop()
		return remote.Upload{}, false, nil
	}
	defer context.AfterFunc(ctx, e.cancel)()
	<-e.done
	return e.up, true, e.err
}

// StopEarly ends the early upload, unless a close waits for it.
func (s *Uploader) StopEarly() {
	if e := s.early.Load(); e != nil {
		e.content.Stop()
	}
}

// WakeEarly lets the early upload go on once no other content is sent.
func (s *Uploader) WakeEarly() {
	if e := s.early.Load(); e != nil {
		e.content.Wake()
	}
}

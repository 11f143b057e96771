package body

import (
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
)

// DetachBodyLocked takes the name away from n, whose content must not be published, and gives it to a
// new inode with what it held before; Body.Mu must be held. Programs that have n open go on with its
// content, and no close of theirs publishes it: the last release moves it to failed/. If n has
// nothing that its name does not hold in any case, DetachBodyLocked does nothing. If others have replaced n
// before, the new verdict stands.
func (s *Bodies) DetachBodyLocked(n *tree.Node, why tree.Verdict) {
	b := n.Body()
	s.names.Mu.Lock()
	if names.ReplacedLocked(n) {
		n.Own().Why = why
	}
	s.names.Mu.Unlock()
	if b.Pending != nil {
		if err := s.DropDequeuedBodyLocked(n); err != nil {
			s.o.Log.Error("cannot record that a file left the queue", "error", err)
		}
	}
	s.names.Mu.RLock()
	nothing := n.Parent == nil || n.Local() || b.AllQueued() || !n.Dirty() && n.Pub.ID != 0
	s.names.Mu.RUnlock()
	if nothing {
		return
	}
	if b.Spool == nil && n.PDF == nil {
		_ = s.DraftEmptyBodyLocked(n) // without room there is no entry of failed/ for an empty file
	}
	s.names.Mu.Lock()
	if n.Parent == nil || n.Local() { // it lost its name in the meantime
		s.names.Mu.Unlock()
		return
	}
	sidecars := len(names.SidecarsLocked(n)) > 0
	successor := s.names.SuccessorBodyLocked(n)
	if successor != nil && n.PDF == nil && refusal.Is(why.Reason, refusal.Superseded) {
		successor.Own().Protected = s.o.Now()
	}
	if successor != nil && why.Reason == names.ErrEmptyPDF {
		successor.PDF.Emptied = true
	}
	s.names.Changes.Tell(s.names.DetachLocked(n, successor, why))
	s.names.Mu.Unlock()
	if !sidecars {
		return
	}
	if err := s.names.WaitWritten(); err != nil {
		s.o.Log.Error("after a kill the journal of another database may reappear", "error", err)
	}
}

// Detach is DetachBodyLocked.
func (s *Bodies) Detach(n *tree.Node, why tree.Verdict) {
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s.DetachBodyLocked(n, why)
}

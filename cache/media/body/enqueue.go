package body

import (
	"fmt"
	"io"

	"paperfs/cache/content/tree"
)

// EnqueueLocked queues the content in n's spool, with change upto; Body.Mu and Tree.Mu must be held.
// copied is the copy for the database, or nil if the spool is synced. Queued content does not change until a
// newer close replaces it or the service has it: later writes go to another spool, and the row
// names the queued one.
func (s *Bodies) EnqueueLocked(n *tree.Node, copied []byte) (upto uint64) {
	b := n.Body()
	s.names.SetCopyLocked(n, copied)
	b.Pending, b.Queued = b.Spool, b.Gen
	if !b.Verdict().Final {
		b.SetVerdict(tree.Verdict{})
	}
	n.Written = true
	n.On(tree.Enqueued)
	s.names.SetQueuedLocked(n, true)
	n.Delivery.Spool, n.Delivery.Size, n.Delivery.Kept = b.Spool.Serial, b.Spool.Size, b.Spool.Kept
	n.Delivery.Since, n.Delivery.Last = s.o.Now(), nil
	n.Delivery.Change, n.Delivery.Outdated = s.names.SaveLocked(n), false
	return n.Delivery.Change
}

// QueuedDurablyLocked reports whether the close that queued n could return: its row is synced.
// Tree.Mu must be held.
func (s *Bodies) QueuedDurablyLocked(n *tree.Node) bool {
	return n.Delivery != nil && s.names.Journal.Synced(n.Delivery.Change)
}

// DropDequeuedBodyLocked drops content of n that is no longer queued, and returns once its removal
// from the queue is durable. Until then a crash would send the spool, so it must not be written
// to. Body.Mu must be held.
func (s *Bodies) DropDequeuedBodyLocked(n *tree.Node) error {
	s.names.Mu.Lock()
	queued, upto := n.Queued(), n.CancelledAt
	if !queued && upto > 0 {
		n.Own().CancelledAt = 0
	}
	s.names.Mu.Unlock()
	if queued {
		return nil
	}
	if upto > 0 {
		if err := s.names.Journal.WaitSynced(upto); err != nil {
			return err
		}
	}
	n.Body().ForgetPending(&s.Spools)
	return nil
}

// This file makes queued content survive a power loss. Large content is synced in the spool.
// Small content is copied into the database together with the row that queues it, which takes
// one sync instead of three. It is still read and sent from the spool file, which is intact if
// only the process ended.

const (
	// SmallCopy is the largest size, in bytes, of content that is copied.
	SmallCopy = 64 << 10
	// mostCopies limits the number of copies, since the database file does not shrink.
	mostCopies = 2000
)

// HardenBodyLocked makes n's spool durable, or returns a copy for EnqueueLocked; Body.Mu must
// be held.
func (s *Bodies) HardenBodyLocked(n *tree.Node) (copied []byte, err error) {
	if v := n.Body().Verdict(); v.Final {
		return nil, v.Reason
	}
	sp := n.Body().Spool
	s.names.Mu.RLock()
	many := s.names.CopiesLocked() >= mostCopies
	s.names.Mu.RUnlock()
	if sp == nil || many || n.PDF != nil || sp.Size > SmallCopy {
		if err := s.Spools.Sync(sp); err != nil || sp == nil {
			return nil, err
		}
		sp.Keep()
		return nil, nil
	}
	copied = make([]byte, sp.Size)
	if _, err := io.ReadFull(io.NewSectionReader(sp.F, 0, sp.Size), copied); err != nil {
		return nil, fmt.Errorf("reading content to be queued: %w", err)
	}
	return copied, nil
}

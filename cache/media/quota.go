package media

import (
	"math"

	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// overQuota fails if n, whose content in sp grows to size bytes, can certainly not be published: the service has said within
// Options.StrictTTL that it has no room. If that was said earlier, it is asked, and the write goes on: a later one, or the close,
// is told.
func (s *Store) overQuota(n *tree.Node, sp *spool.File, size int64) error {
	offers, _ := s.o.Service.Offers()
	if room := offers.Room; room == nil || size <= sp.Size || s.room.Used()+size-sp.Size <= room.Left || size <= s.quotaLeft(n) {
		return nil
	} else if s.o.Now().Sub(room.Asked) > s.o.StrictTTL {
		s.Forget()
		s.fetchOldTree()
		return nil
	}
	return &Error{Kind: OverQuota, Name: n.Name, Detail: "the service's quota of media files has no room for it, after what is queued here: remove other files, or ask the operator for a larger quota"}
}

// Left returns how many bytes the service's quota of media files leaves, many if it tells none.
func (s *Store) Left() int64 { return max(0, s.quotaLeft(nil)) }

// quotaLeft returns how large n, which may be nil, can become within the quota, after what is queued for other names. What is
// being sent may be at the service already.
func (s *Store) quotaLeft(n *tree.Node) int64 {
	offers, _ := s.o.Service.Offers()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if offers.Room == nil || n != nil && (n.Parent == nil || n.Local() || n.PDF != nil) {
		return math.MaxInt64
	}
	left := offers.Room.Left
	if n != nil {
		left += n.Pub.Size
	}
	for _, i := range s.outbox.List() {
		if d := i.Key; d.Node != n && !i.State.Active() {
			left -= d.Size - d.Node.Pub.Size
		}
	}
	return left
}

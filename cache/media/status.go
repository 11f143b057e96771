package media

import (
	"cmp"
	"time"

	"paperfs/cache/media/disk"
)

// Status tells the store's numbers.
type Status struct {
	Files, Directories int   // at the service
	Local              int   // scratch files, links and directories, which never go there
	LocalBytes         int64 // in them
	Writing            int   // being written, not yet published as shown
	Waiting            int   // closed and waiting to be sent
	Failed             int   // in failed/
	SpoolBytes         int64 // of all content that is kept because it is not at the service

	Fetched    time.Time // when the media tree was last asked for; zero: never
	Offered    bool      // the service gives a media tree, as far as is known
	LeftOut    int       // names in it that cannot be shown
	FetchError error     // of the last GetTree
	Barred     error     // why the queue waits because the account is not let in; nil where it is
	Waits      error     // why the whole queue waits; nil where it does not
}

// Status is the store's state now. It asks nothing.
func (s *Store) Status() Status {
	st := Status{Failed: len(s.failures.List()), SpoolBytes: s.room.Used()}
	s.mu.RLock()
	defer s.mu.RUnlock()
	st.Fetched, st.Offered, st.LeftOut, st.FetchError = s.tree.fetched, !s.tree.notOffered, s.tree.unshown, s.tree.err
	if st.Waiting = s.outbox.Len() + s.pdfs.Len(); st.Waiting > 0 {
		st.Barred, st.Waits = s.barred, cmp.Or(s.outbox.Blocked(), s.pdfs.Blocked())
	}
	for _, n := range s.nodes {
		switch {
		case n == s.root || n.Parent == nil:
		case n.Local():
			st.Local++
			st.LocalBytes += n.Size
		case n.Queued():
		case n.Kind == Directory:
			st.Directories++
		case n.Dirty() || n.Pub.ID == 0:
			st.Writing++
		default:
			st.Files++
		}
	}
	return st
}

// Space is what can still be written here, for statfs.
func (s *Store) Space() disk.Space {
	space, err := s.room.Space()
	if err != nil {
		s.o.Log.Error("asking for the free space of the spool", "error", err)
	}
	return space
}

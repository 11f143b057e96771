package reconcile

import (
	"time"

	"paperfs/cache/media/names"
	"paperfs/remote"
)

// Moment is when a request begins that may be answered by what changed in the tree.
type Moment struct {
	serial  uint64    // of this mount's last change before
	fetched time.Time // the tree
}

// Moment returns the present one.
func (s *Reconciler) Moment() Moment {
	s.names.Mu.RLock()
	defer s.names.Mu.RUnlock()
	return Moment{s.names.Serial, s.names.GetTree.Fetched}
}

// Hear changes the tree to what the service tells of some files and directories, which costs no request; false: the
// tree has to be fetched. The request to which the service answers began at a moment. If a GetTree is or was under way
// meanwhile, nobody knows which of the two answers is newer.
func (s *Reconciler) Hear(since Moment, lines []remote.Event) bool {
	s.names.Mu.Lock()
	t, before := s.names.GetTree, s.names.UptoLocked()
	current := !t.Fetching && !t.Stale && t.Err == nil && !t.Asked.IsZero() && t.Fetched.Equal(since.fetched)
	if allShown := len(t.Odd)+len(t.Hidden) == 0; !current || !allShown {
		s.names.Mu.Unlock()
		return false
	}
	changes, whole := s.tellLocked(lines, since.serial)
	s.names.GetTree.Validator = "" // an answer from before is not the tree any more
	whole = whole && len(s.names.GetTree.Hidden) == 0
	altered := s.names.UptoLocked() != before
	s.names.Mu.Unlock()
	s.names.Changes.Tell(changes...)
	if altered {
		s.names.Journal.Wake()
	}
	return whole
}

// tellLocked is ReconcileLocked for a part of the tree.
func (s *Reconciler) tellLocked(lines []remote.Event, began uint64) (changed []names.Changed, whole bool) {
	var part remote.MediaTree
	for _, e := range lines {
		switch {
		case e.Gone:
		case e.Kind == "directory":
			part.Dirs = append(part.Dirs, remote.MediaDir{ID: e.ID, Parent: e.Parent, Name: e.Name, Version: e.Version})
		default:
			part.Files = append(part.Files, remote.MediaFile{ID: e.ID, Parent: e.Parent, Name: e.Name, SizeKB: e.SizeKB, Bytes: e.Bytes,
				SHA256: e.SHA256, URL: e.URL, Version: e.Version})
		}
	}
	part.Dirs = parentsFirst(part.Dirs)
	return s.reconciled(&reconciliation{Reconciler: s, began: began, answer: part, lines: lines})
}

// parentsFirst orders directories as GetTree does.
func parentsFirst(dirs []remote.MediaDir) (ordered []remote.MediaDir) {
	left := make(map[int64]remote.MediaDir, len(dirs))
	for _, d := range dirs {
		left[d.ID] = d
	}
	var place func(id int64)
	place = func(id int64) {
		if d, ok := left[id]; ok {
			delete(left, id)
			place(d.Parent)
			ordered = append(ordered, d)
		}
	}
	for _, d := range dirs {
		place(d.ID)
	}
	return ordered
}

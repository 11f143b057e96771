package media

import (
	"errors"
)

// MoveUnsent moves what is queued or in failed/ here to failed/ of another store, whose service has other data, with a reason for what
// was queued. Names that stay on this machine stay here. The store must be Paused. After an error the rest is moved by another call.
func (s *Store) MoveUnsent(to *Store, reason error) (moved int, err error) {
	if err := errors.Join(s.failDir(s.root, reason), s.failPDFs(reason), s.Sync()); err != nil {
		return 0, err
	}
	for _, e := range s.failures.List() {
		to.room.Add(e.Size)
		if err := to.failures.AddForeign(s.failures.File(e.ID), e); err != nil {
			to.room.Give(e.Size)
			return moved, err
		}
		moved++
		if err := s.failures.Take(e); err != nil {
			return moved, err
		}
	}
	return moved, nil
}

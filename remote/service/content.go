package service

import (
	"context"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

// removeContent forgets content that no record names any more. What fails here
// goes at the next start.
func (s *Service) removeContent(key string) {
	if err := s.contents.Remove(key); err != nil {
		s.log.Warn("content not removed", "content", key, "error", err)
	}
}

func (s *Service) openContents(ctx context.Context) error {
	files, err := datadir.OpenContents(ctx, s.options.Data, s.store)
	if err != nil {
		return err
	}
	files.NoRoom = s.options.NoRoom
	s.contents = files
	return s.sweep(ctx)
}

// sweep puts content without a record aside. It fails only where the store
// does: content that cannot be moved, on a full disk for one, harms nobody.
func (s *Service) sweep(ctx context.Context) error {
	var swept store.Swept
	var failed error
	// Inside a change, because another process may be adding media as one: what
	// it wrote has no record until that change is over.
	err := s.store.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		swept, failed = s.contents.Sweep(tx.ContentKeys, s.options.trashTime())
		return nil
	})
	if swept != (store.Swept{}) {
		s.log.Warn("content without a record", "moved to trash", swept.Moved, "removed from trash", swept.Removed)
	}
	if failed != nil {
		s.log.Error("content without a record not cleared away", "error", failed)
	}
	return err
}

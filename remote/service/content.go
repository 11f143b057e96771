package service

import (
	"context"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// drop removes content that no record names.
func (s *Service) drop(tenant int64, key string) {
	if key == "" {
		return
	}
	err := s.store.Write(context.Background(), tenant, func(tx store.Writer) error { return tx.DropContent(key) })
	if err != nil {
		s.log.Warn("content not removed", "content", key, "error", err)
	}
}

// openContents opens the content that the records name. It removes content that the
// records drop; if that fails, the next start removes it.
func (s *Service) openContents(ctx context.Context, records *sqlitestore.Store) error {
	files, err := datadir.OpenContents(ctx, s.options.Data, records)
	if err != nil {
		return err
	}
	files.NoRoom = s.options.NoRoom
	s.contents = files
	records.Dropped = func(key string) {
		if err := files.Remove(key); err != nil {
			s.log.Warn("content not removed", "content", key, "error", err)
		}
	}
	return s.sweep(ctx, files)
}

// sweep moves content without a record to the trash. It fails only if the store does:
// content that cannot be moved, for example on a full disk, does no harm.
func (s *Service) sweep(ctx context.Context, files *filestore.Store) error {
	var swept filestore.Swept
	var failed error
	// Within a change, because another process may be adding media within one: the
	// content it wrote has no record until that change is complete.
	err := s.store.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		swept, failed = files.Sweep(tx.ContentKeys, s.options.trashTime())
		return nil
	})
	if swept != (filestore.Swept{}) {
		s.log.Warn("content without a record", "moved to trash", swept.Moved, "removed from trash", swept.Removed)
	}
	if failed != nil {
		s.log.Error("content without a record not moved to the trash", "error", failed)
	}
	return err
}

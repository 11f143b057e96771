package service

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

const defaultTrashDays = 30

func (o *Options) trashTime() time.Duration {
	days := o.TrashDays
	days = cmp.Or(days, defaultTrashDays)
	return time.Duration(days) * 24 * time.Hour
}

// openContents opens the content that the records name. It removes content that the
// records drop; if that fails, the next start removes it.
func (s *Service) openContents(ctx context.Context, records *sqlitestore.Store) error {
	files, err := datadir.OpenContents(ctx, s.options.Data, records)
	if err != nil {
		return err
	}
	files.NoRoom, files.MakeRoom = s.options.NoRoom, s.makeRoom
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

// keeper is content that needs cleaning while the service runs.
type keeper interface {
	Keep(ctx context.Context, log *slog.Logger)
	// Stuck returns how many unneeded contents could not be removed.
	Stuck() int
}

package service

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/call"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

const defaultTrashDays = 30

// openContents opens the content that the records name. It removes content that the
// records drop; if that fails, the next start removes it.
func (s *Service) openContents(ctx context.Context, records *sqlitestore.Store) error {
	files, err := datadir.OpenContents(ctx, s.calls.Options.Data, records)
	if err != nil {
		return err
	}
	files.NoRoom, files.MakeRoom = s.calls.Options.NoRoom, s.makeRoom
	s.calls.Contents = files
	records.Dropped = func(key string) {
		if err := files.Remove(key); err != nil {
			s.calls.Log.Warn("content not removed", "content", key, "error", err)
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
	err := s.calls.Store.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		swept, failed = files.Sweep(tx.ContentKeys, time.Duration(cmp.Or(s.calls.Options.TrashDays, defaultTrashDays))*24*time.Hour)
		return nil
	})
	if swept != (filestore.Swept{}) {
		s.calls.Log.Warn("content without a record", "moved to trash", swept.Moved, "removed from trash", swept.Removed)
	}
	if failed != nil {
		s.calls.Log.Error("content without a record not moved to the trash", "error", failed)
	}
	return err
}

// keeper is content that needs cleaning while the service runs.
type keeper interface {
	Keep(ctx context.Context, log *slog.Logger)
	// Stuck returns how many unneeded contents could not be removed.
	Stuck() int
}

// MediaFile opens, for this process, the file that has the content of a media file: of the tenant of a
// host, if the content has the SHA-256. Nothing changes the file, and it stays readable after its
// removal. store.ErrNotFound: the media file has other content, or no file of its own.
func (s *Service) MediaFile(ctx context.Context, host string, id int64, sha256 [32]byte) (*os.File, error) {
	return s.file(ctx, host, func(tx store.Reader, tenant int64) (string, error) {
		file, err := tx.File(tenant, id)
		if err == nil && (file.SHA256 != sha256 || file.Content == "") {
			err = store.ErrNotFound
		}
		return file.Content, err
	})
}

// PDFFile is MediaFile for the PDF that a paper has its pages from. It reads all of the file, for its SHA-256 (hex).
func (s *Service) PDFFile(ctx context.Context, host string, paper int64) (f *os.File, sum string, err error) {
	f, err = s.file(ctx, host, func(tx store.Reader, tenant int64) (string, error) {
		r, err := tx.Rendition(paper)
		if err == nil {
			_, err = tx.Node(tenant, paper)
		}
		return r.PDF, err
	})
	if err != nil {
		return nil, "", err
	}
	h := sha256.New()
	if _, err = io.Copy(h, io.NewSectionReader(f, 0, math.MaxInt64)); err != nil {
		_ = f.Close()
		return nil, "", err
	}
	return f, hex.EncodeToString(h.Sum(nil)), nil
}

// file opens the file of the content whose key find returns.
func (s *Service) file(ctx context.Context, host string, find func(tx store.Reader, tenant int64) (key string, err error)) (*os.File, error) {
	contents, ok := s.calls.Contents.(call.Files)
	if !ok {
		return nil, fmt.Errorf("the contents are not files of this machine: %w", store.ErrNotFound)
	}
	var key string
	err := s.calls.Store.Read(ctx, func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(host))
		if err == nil {
			key, err = find(tx, tenant.ID)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return contents.File(key)
}

// KeepsDeleted returns for how many days the tenant of a host keeps what is deleted or replaced.
func (s *Service) KeepsDeleted(ctx context.Context, host string) (days int64, err error) {
	err = s.calls.Store.Read(ctx, func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(host))
		days = tenant.Keep.ForDays()
		return err
	})
	return days, err
}

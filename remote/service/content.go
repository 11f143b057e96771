package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"math"
	"os"
	"sync"
	"sync/atomic"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/filestore"
	"paperfs/remote/service/reader"
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

// janitor removes in the background what is needed no longer.
type janitor struct {
	stop  context.CancelFunc
	ended sync.WaitGroup
}

func startJanitor(s *Service, examined string) *janitor {
	ctx, stop := context.WithCancel(context.Background())
	j := &janitor{stop: stop}
	j.ended.Go(func() { s.keepRounds(ctx) })
	j.ended.Go(func() { s.examineRounds(ctx, examined) })
	if k, ok := s.contents.(keeper); ok {
		j.ended.Go(func() { k.Keep(ctx, s.log) })
	}
	return j
}

// close ends the janitor. It reads the records, which are closed after it.
func (j *janitor) close() {
	if j == nil {
		return
	}
	j.stop()
	j.ended.Wait()
}

// files are contents that lie whole in files of this machine.
type files interface {
	File(key string) (*os.File, error)
	// CreateFrom is Create for content that a file has, to which nothing writes any more.
	CreateFrom(ctx context.Context, file *os.File) (d store.Draft, taken bool, err error)
}

// create starts content, for a caller in this process perhaps with a file of it. sum is its SHA-256 if the
// draft is that file; nil for others.
func (s *Service) create(ctx context.Context) (d store.Draft, sum *[sha256.Size]byte, err error) {
	file := contentFile(ctx)
	contents, local := s.contents.(files)
	ctx = context.WithoutCancel(ctx) // a complete upload is stored even if its caller disconnects
	if file == nil || !local {
		d, err = s.contents.Create(ctx)
		return d, nil, err
	}
	d, taken, err := contents.CreateFrom(ctx, file.File)
	if taken {
		sum = &file.SHA256
	}
	return d, sum, err
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
	contents, ok := s.contents.(files)
	if !ok {
		return nil, fmt.Errorf("the contents are not files of this machine: %w", store.ErrNotFound)
	}
	var key string
	err := s.store.Read(ctx, func(tx store.Reader) error {
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
	err = s.store.Read(ctx, func(tx store.Reader) error {
		tenant, err := tx.TenantByHost(address.Host(host))
		days = tenant.Keep.ForDays()
		return err
	})
	return days, err
}

const (
	// asideFrom is how many bytes of content Write takes itself.
	asideFrom = 256 << 10
	// asidePiece is how many further bytes the goroutine takes at a time.
	asidePiece = 128 << 10
)

// hashingWriter hashes content and writes it to a draft. It does that in a goroutine for
// large content, while its caller reads and decodes more.
type hashingWriter struct {
	draft  store.Draft
	sum    hash.Hash
	size   int64 // bytes written
	aside  answer.Worker[byte]
	inline bool                  // Write takes all bytes itself, in less memory
	failed atomic.Pointer[error] // first error of the draft
}

func newHashingWriter(draft store.Draft) *hashingWriter {
	w := &hashingWriter{draft: draft, sum: sha256.New()}
	w.aside = answer.Worker[byte]{Size: asidePiece, Work: w.take}
	return w
}

// known is the hash of content whose SHA-256 is known.
type known [sha256.Size]byte

func (k known) Write(p []byte) (int, error) { return len(p), nil }
func (k known) Sum(b []byte) []byte         { return append(b, k[:]...) }
func (k known) Reset()                      {}
func (k known) Size() int                   { return sha256.Size }
func (k known) BlockSize() int              { return sha256.BlockSize }

// Write may return the error of an earlier piece. After an error it writes nothing.
func (w *hashingWriter) Write(p []byte) (int, error) {
	if w.size += int64(len(p)); w.inline || w.size <= asideFrom {
		w.take(p)
	} else {
		w.aside.Add(p...)
	}
	if err := w.failed.Load(); err != nil {
		return 0, *err
	}
	return len(p), nil
}

func (w *hashingWriter) take(p []byte) {
	if len(p) == 0 || w.failed.Load() != nil {
		return
	}
	w.sum.Write(p)
	if _, err := w.draft.Write(p); err != nil {
		w.failed.Store(&err)
	}
}

// end returns once the draft has all bytes, with the draft's error. It may be called
// again.
func (w *hashingWriter) end() error {
	w.aside.End()
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// getContent sends the bytes of a media file as they are, or of an earlier version that is kept. Its type
// tells them from a failure, whatever the file is.
func getContent(c *call, _ *answer.Writer) error {
	if c.soap != nil {
		return answer.Invalid("GetContent answers with the bytes themselves: call it by GET or POST.")
	}
	find, err := c.findContent()
	if err != nil {
		return err
	}
	file, content, err := c.service.reader.OpenFile(c.ctx(), find)
	if store.IsNotFound(err) {
		return answer.Invalid("There is no such media file, or no such version or entry any more.")
	}
	if err != nil {
		return err
	}
	defer content.Close()
	h := c.reply.w.Header()
	h.Set("Content-Type", "application/octet-stream")
	if file.SHA256 != [32]byte{} { // that of a PDF is not known
		h.Set("ETag", `"`+hex.EncodeToString(file.SHA256[:])+`"`)
	}
	c.reply.started, c.reply.replayed = true, true
	reader.ServeFile(c.reply.w, c.request, content)
	return nil
}

// findContent returns how to find what the parameters name.
func (c *call) findContent() (func(tx store.Reader) (store.File, error), error) {
	if c.param("entryID") != "" {
		entry, err := c.entryID()
		if err == nil && c.account.Role < remote.Editor {
			err = answer.Refuse(remote.LoginSecurityViolation, "This account may not read what was deleted or replaced.")
		}
		return func(tx store.Reader) (store.File, error) {
			k, err := tx.Kept(c.tenant.ID, entry)
			if err == nil && k.Kind != store.KeptFile && k.Kind != store.KeptPDF {
				err = store.ErrNotFound
			}
			return k.File, err
		}, err
	}
	id, err := c.id("fileID")
	if err != nil {
		return nil, err
	}
	wanted, err := c.version("version")
	return func(tx store.Reader) (store.File, error) {
		file, err := tx.File(c.tenant.ID, id)
		if wanted != nil && (store.IsNotFound(err) || err == nil && file.Version != *wanted) {
			return tx.PastFile(c.tenant.ID, id, *wanted)
		}
		if err == nil && file.Content == "" {
			file.Small, err = tx.SmallContent(id)
		}
		return file, err
	}, err
}

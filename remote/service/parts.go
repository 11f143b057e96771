package service

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/processing"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// parts is what all calls of a service share.
type parts struct {
	options  Options
	log      *slog.Logger
	now      func() time.Time
	base     address.Base // options.BasePath
	store    store.Store
	contents store.Contents
	queue    *processing.Queue
	images   *address.Images
	reader   reader.Reader // of pages, images and media files

	searches  *admission.Gate // searches in all papers
	walks     *admission.Gate // walks, and other reads of many records
	told      *admission.Gate // reads of followers
	followers *followers

	accounts   *admission.AccountRate // nil = no limit
	addresses  *admission.AddressRate // nil = no limit
	remembered admission.Callers
	strangers  admission.Strangers
	unadmitted int64 // bytes of content kept before good credentials
	bodies     *admission.Bounds
	stall      time.Duration // admission.StallLimit
	underWay   *admission.Requests
	requests   atomic.Uint64
	metrics    *metrics

	answers   answerCache
	spoolFrom int         // size in bytes from which an answer goes through a file
	room      answer.Room // memory for answers when the disk is full
}

// drop removes content that no record names.
func (s *parts) drop(tenant int64, key string) {
	if key == "" {
		return
	}
	err := s.store.Write(context.Background(), tenant, func(tx store.Writer) error { return tx.DropContent(key) })
	if err != nil {
		s.log.Warn("content not removed", "content", key, "error", err)
	}
}

// create starts content, for a caller in this process perhaps with a file of it. sum is its SHA-256 if the
// draft is that file; nil for others.
func (s *parts) create(ctx context.Context) (d store.Draft, sum *[sha256.Size]byte, err error) {
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

// files are contents that lie whole in files of this machine.
type files interface {
	File(key string) (*os.File, error)
	// CreateFrom is Create for content that a file has, to which nothing writes any more.
	CreateFrom(ctx context.Context, file *os.File) (d store.Draft, taken bool, err error)
}

// ContentFile is a file of this process that has exactly the content of a request, and to which nothing writes any
// more: the service may keep it.
type ContentFile struct {
	File   *os.File
	SHA256 [sha256.Size]byte // of the content; a request whose content differs ends too early
}

// contentFileKey marks the context of a request whose content has a file.
type contentFileKey struct{}

// WithContentFile marks a request from the same process, whose content the file has.
func WithContentFile(ctx context.Context, file *ContentFile) context.Context {
	return context.WithValue(ctx, contentFileKey{}, file)
}

// contentFile returns the file that has the content of a request; nil for none.
func contentFile(ctx context.Context) *ContentFile {
	file, _ := ctx.Value(contentFileKey{}).(*ContentFile)
	return file
}

// node returns the name of this service among those that share the records; "" if no
// other shares them.
func (s *parts) node() string {
	if s.options.Apart == nil {
		return ""
	}
	return s.options.Apart.Node
}

package call

import (
	"cmp"
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

// Service is what all calls of a service share.
type Service struct {
	Options  Options
	Log      *slog.Logger
	Now      func() time.Time
	Base     address.Base // Options.BasePath
	Store    store.Store
	Contents store.Contents
	Queue    *processing.Queue
	Images   *address.Images
	Reader   reader.Reader // of pages, images and media files

	Searches  *admission.Gate // searches in all papers
	Walks     *admission.Gate // walks, and other reads of many records
	Told      *admission.Gate // reads of followers
	Followers *Followers

	Accounts   *admission.AccountRate // nil = no limit
	Addresses  *admission.AddressRate // nil = no limit
	remembered admission.Callers
	Strangers  admission.Strangers
	Unadmitted int64 // bytes of content kept before good credentials
	Bodies     *admission.Bounds
	Stall      time.Duration // admission.StallLimit
	UnderWay   *admission.Requests
	requests   atomic.Uint64
	Metrics    *Metrics

	Answers   answerCache
	SpoolFrom int         // size in bytes from which an answer goes through a file
	room      answer.Room // memory for answers when the disk is full
}

// callsRoom is how many bytes of memory the answers to calls may take when the disk has no room for them.
const callsRoom = 64 << 20

// New returns what needs no records. The caller adds the store and the contents, and what reads them.
func New(o Options) *Service {
	s := &Service{Options: o, Base: address.NewBase(o.BasePath), Log: cmp.Or(o.Log, slog.Default()), Now: o.Now, Metrics: newMetrics(),
		Unadmitted: defaultUnadmitted, Strangers: admission.Strangers{Most: admission.StrangerDisk, MostMemory: admission.StrangerMemory}, Stall: admission.StallLimit,
		Addresses: admission.NewAddressRate(o.AddressRequests), Bodies: admission.DefaultBounds(), UnderWay: admission.NewRequests(),
		SpoolFrom: answer.SpoolFrom, room: answer.Room{Most: callsRoom}, Answers: answerCache{Most: mostAnswers}}
	if s.Now == nil {
		s.Now = time.Now
	}
	return s
}

// Watch has the store measured, its changes told to followers, and its reads take turns.
func (s *Service) Watch(reads *admission.Gate) {
	s.Followers = newFollowers(s.Store)
	s.Store = &turns{Store: s.Metrics.timed(followed{s.Store, s.Followers}), gate: reads}
}

// Drop removes content that no record names.
func (s *Service) Drop(tenant int64, key string) {
	if key == "" {
		return
	}
	err := s.Store.Write(context.Background(), tenant, func(tx store.Writer) error { return tx.DropContent(key) })
	if err != nil {
		s.Log.Warn("content not removed", "content", key, "error", err)
	}
}

// create starts content, for a caller in this process perhaps with a file of it. sum is its SHA-256 if the
// draft is that file; nil for others.
func (s *Service) create(ctx context.Context) (d store.Draft, sum *[sha256.Size]byte, err error) {
	file := contentFile(ctx)
	contents, local := s.Contents.(Files)
	ctx = context.WithoutCancel(ctx) // a complete upload is stored even if its caller disconnects
	if file == nil || !local {
		d, err = s.Contents.Create(ctx)
		return d, nil, err
	}
	d, taken, err := contents.CreateFrom(ctx, file.File)
	if taken {
		sum = &file.SHA256
	}
	return d, sum, err
}

// Files are contents that lie whole in files of this machine.
type Files interface {
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

// Node returns the name of this service among those that share the records; "" if no
// other shares them.
func (s *Service) Node() string {
	if s.Options.Apart == nil {
		return ""
	}
	return s.Options.Apart.Node
}

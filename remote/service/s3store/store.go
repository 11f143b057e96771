package s3store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/store"
)

const (
	// attempts is how often a request is sent that fails temporarily, with pauses that grow to a
	// second.
	attempts = 10
	// requestTime limits a request with all its attempts.
	requestTime = 5 * time.Minute
	// answerTime limits, likewise, a request for content, since a caller is waiting.
	answerTime = time.Minute
	// maxLarge is how many drafts may hold more than large bytes in memory at once.
	maxLarge = 64
	large    = 1 << 20
	// slotTime is how long a draft waits for a slot.
	slotTime = time.Minute
)

// Store is a store.Contents in a bucket.
type Store struct {
	place  Place
	core   *minio.Core // retries temporary failures
	once   *minio.Core // does not retry
	ledger store.Ledger

	attempts int
	ages     ages
	stuck    stuck
	cursor   store.Leftover // where the janitor continues

	mostFailures int // in one round of the janitor
	answerTime   time.Duration
	slots        chan struct{}   // one element for each large draft
	parts        partMemory      // for large drafts
	closing      context.Context // ended by Close; the context of background work
	close        context.CancelFunc
	background   sync.WaitGroup
}

var _ store.Contents = (*Store)(nil)

// New returns the contents of a place, whose ledger is in the records. It sends no request; see
// Check.
func New(p Place, ledger store.Ledger) (*Store, error) {
	return newStore(p, ledger, attempts, standstill)
}

func newStore(p Place, ledger store.Ledger, attempts int, still time.Duration) (*Store, error) {
	keys, err := findCredentials()
	if err != nil {
		return nil, err
	}
	o := minio.Options{Creds: keys, Secure: !p.Plain, Region: p.Region, BucketLookup: p.Lookup, Transport: newTransport(still), MaxRetries: attempts}
	core, err := minio.NewCore(p.Host, &o)
	if err != nil {
		return nil, fmt.Errorf("the object store %s: %w", p, err)
	}
	o.MaxRetries = 1
	once, err := minio.NewCore(p.Host, &o)
	if err != nil {
		return nil, fmt.Errorf("the object store %s: %w", p, err)
	}
	s := &Store{place: p, core: core, once: once, attempts: attempts, ledger: ledger, ages: defaultAges, mostFailures: mostFailures, answerTime: answerTime, slots: make(chan struct{}, maxLarge)}
	s.closing, s.close = context.WithCancel(context.Background())
	return s, nil
}

// Close stops the background work. All drafts and readers must have ended. The janitor removes
// what remains.
func (s *Store) Close() error {
	s.close()
	s.background.Wait()
	return nil
}

// Check checks that the bucket exists. store.ErrAway: the object store is unavailable.
func (s *Store) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.answerTime, errSlow)
	defer cancel()
	there, err := s.core.BucketExists(ctx, s.place.Bucket)
	if err == nil && !there {
		return fmt.Errorf("%s: there is no bucket named %s: create it, or use another name", s.place, s.place.Bucket)
	}
	if answer, ok := errors.AsType[minio.ErrorResponse](err); ok && answer.StatusCode == http.StatusForbidden {
		return fmt.Errorf("%s: the object store refuses the credentials, or does not let them use the bucket %s: "+
			"look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or at the file of AWS_SHARED_CREDENTIALS_FILE (%w)", s.place, s.place.Bucket, err)
	}
	return explain(ctx, s.place.String(), err)
}

// Size returns the size of content in bytes.
func (s *Store) Size(ctx context.Context, key string) (int64, error) {
	name, err := s.name(key)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.answerTime, errSlow)
	defer cancel()
	info, err := s.core.StatObject(ctx, s.place.Bucket, name, minio.StatObjectOptions{})
	return info.Size, explain(ctx, "content "+key, err)
}

// name returns the name of a key's object. It rejects keys that this package did not make.
func (s *Store) name(key string) (string, error) {
	if _, err := uuid.Parse(key); err != nil || len(key) != 36 {
		return "", fmt.Errorf("content %q: %w", key, store.ErrNotFound)
	}
	return s.place.Prefix + key[:2] + "/" + key, nil
}

// bounded limits a request for which the caller sets no limit.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, requestTime, errSlow)
}

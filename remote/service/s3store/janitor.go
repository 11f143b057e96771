package s3store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/store"
)

const (
	// batch is how many objects are removed by one request, which is the most.
	batch = 1000
	// pace is the pause after a batch: removal has no hurry, and callers have.
	pace = 200 * time.Millisecond
	// rounds is how often a janitor looks, about.
	rounds = 10 * time.Minute
)

// ages are how old content gets that is to be removed.
type ages struct{ intended, dropped time.Duration }

var defaultAges = ages{24 * time.Hour, time.Hour}

// Keep cleans now and then, until ctx ends. Every node may do it: who comes second
// finds nothing, or removes what is gone.
func (s *Store) Keep(ctx context.Context, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rounds/2 + rand.N(rounds)): // not all nodes at once
		}
		removed, err := s.Clean(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			log.Warn("content that nobody needs stays for now", "error", err)
		}
		if removed > 0 {
			log.Info("content removed that nobody needs", "objects", removed)
		}
	}
}

// Clean removes what the ledger says is left over: of content that was given up
// also the parts. It may be stopped at any time, and goes on where it was.
func (s *Store) Clean(ctx context.Context) (removed int, err error) {
	for {
		all, err := s.ledger.Leftovers(ctx, s.ages.intended, s.ages.dropped, batch)
		if err != nil || len(all) == 0 {
			return removed, err
		}
		gone, err := s.remove(ctx, all)
		if len(gone) > 0 {
			err = errors.Join(err, s.ledger.Forget(ctx, gone))
		}
		removed += len(gone)
		if err != nil || len(all) < batch {
			return removed, err
		}
		select {
		case <-ctx.Done():
			return removed, ctx.Err()
		case <-time.After(pace):
		}
	}
}

// remove removes objects, and returns the keys of those that are gone for good.
func (s *Store) remove(ctx context.Context, all []store.Leftover) (gone []string, err error) {
	keys := map[string]string{} // by the name of the object
	objects := make(chan minio.ObjectInfo, len(all))
	for _, l := range all {
		name, err := s.name(l.Key)
		if err == nil && l.Unsent {
			err = s.core.RemoveIncompleteUpload(ctx, s.place.Bucket, name)
		}
		if err != nil {
			return nil, explain(ctx, "remove the parts of content "+l.Key, err)
		}
		keys[name] = l.Key
		objects <- minio.ObjectInfo{Key: name}
	}
	close(objects)
	var failed error
	for result := range s.core.RemoveObjectsWithResult(ctx, s.place.Bucket, objects, minio.RemoveObjectsOptions{}) {
		key, known := keys[result.ObjectName]
		switch {
		case result.Err != nil:
			failed = explain(ctx, "remove content", result.Err)
		case known:
			gone = append(gone, key)
		}
	}
	if failed != nil || len(gone) < len(all) {
		return gone, errors.Join(fmt.Errorf("%d of %d contents stay", len(all)-len(gone), len(all)), failed)
	}
	return gone, nil
}

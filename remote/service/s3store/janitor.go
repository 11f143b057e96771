package s3store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/store"
)

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
// also the parts. It may be stopped at any time, and goes on where it was. What the
// object store does not remove waits for later, and holds up nothing behind it.
func (s *Store) Clean(ctx context.Context) (removed int, err error) {
	var failed error // the first that stays
	for {
		all, err := s.ledger.Leftovers(ctx, s.ages.intended, s.ages.dropped, s.stuck.keys(time.Now()), batch)
		if err != nil || len(all) == 0 {
			return removed, errors.Join(failed, err)
		}
		r, err := s.remove(ctx, all)
		if len(r.gone) > 0 {
			err = errors.Join(err, s.ledger.Forget(ctx, r.gone))
		}
		removed += len(r.gone)
		if failed == nil {
			failed = r.failed()
		}
		later := s.stuck.add(r.stay, time.Now().Add(stuckTime))
		if err != nil || len(all) < batch || !later {
			return removed, errors.Join(failed, err)
		}
		select {
		case <-ctx.Done():
			return removed, ctx.Err()
		case <-time.After(pace):
		}
	}
}

// removal is what became of some contents. Those that are in neither were not tried.
type removal struct {
	gone []string         // for good
	stay map[string]error // why it was not removed, by key
}

// failed tells of those that stay.
func (r *removal) failed() error {
	for _, key := range slices.Sorted(maps.Keys(r.stay)) {
		return fmt.Errorf("%d of %d contents stay, such as %s: %w", len(r.stay), len(r.gone)+len(r.stay), key, r.stay[key])
	}
	return nil
}

// remove removes objects. It fails where the object store does not do its work at all.
func (s *Store) remove(ctx context.Context, all []store.Leftover) (removal, error) {
	r := removal{stay: map[string]error{}}
	keys := map[string]string{} // by the name of the object
	objects := make(chan minio.ObjectInfo, len(all))
	for _, l := range all {
		name, err := s.name(l.Key)
		if err == nil && l.Unsent {
			err = explain(ctx, "remove the parts of content "+l.Key, s.removeParts(ctx, name))
		}
		switch {
		case err == nil:
			keys[name] = l.Key
			objects <- minio.ObjectInfo{Key: name}
		case ctx.Err() != nil, errors.Is(err, store.ErrAway) && s.Check(ctx) != nil:
			return r, err
		default:
			r.stay[l.Key] = err
		}
	}
	close(objects)
	return r, s.removeObjects(ctx, objects, keys, &r)
}

// removeParts removes what was sent in part. Its sender, or another janitor, may do so at
// that moment: then the next look does not find it.
func (s *Store) removeParts(ctx context.Context, name string) (err error) {
	for range looks {
		err = s.core.RemoveIncompleteUpload(ctx, s.place.Bucket, name)
		if answer, ok := errors.AsType[minio.ErrorResponse](err); !ok || answer.Code != minio.NoSuchUpload {
			return err
		}
	}
	return err
}

// removeObjects removes objects by one request, whose answer tells of each by itself.
func (s *Store) removeObjects(ctx context.Context, objects <-chan minio.ObjectInfo, keys map[string]string, r *removal) error {
	if len(keys) == 0 {
		return nil
	}
	var failed error
	for result := range s.core.RemoveObjectsWithResult(ctx, s.place.Bucket, objects, minio.RemoveObjectsOptions{}) {
		key, known := keys[result.ObjectName]
		answer, answered := errors.AsType[minio.ErrorResponse](result.Err)
		switch {
		case result.Err == nil && known:
			r.gone = append(r.gone, key)
		case result.Err == nil:
			continue
		case known && answered && answer.StatusCode == 0: // it is about this one
			r.stay[key] = explain(ctx, "remove content "+key, result.Err)
		default:
			failed = explain(ctx, "remove content", result.Err)
		}
		delete(keys, result.ObjectName)
	}
	if failed != nil {
		return failed
	}
	for _, key := range keys {
		r.stay[key] = errors.New("the answer of the object store does not name it")
	}
	return nil
}

// Stuck is how many contents could not be removed, and wait for another try.
func (s *Store) Stuck() int { return len(s.stuck.keys(time.Now())) }

package s3store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/clock"
	"paperfs/remote/service/store"
)

// removal collects the outcome of a round. Contents of a batch that are in none of its lists
// wait, or were not reached.
type removal struct {
	gone    []string         // of the batch: removed for good
	stay    map[string]error // of the batch: the reasons why contents were not removed, by key
	untried map[string]bool  // of the batch: keys that were skipped after too many failures

	removed, stayed int   // of all batches
	first           error // the first reason why a content stays
	parts, objects  tries
}

// tries counts the requests of a kind that failed temporarily.
type tries struct{ failed, most int }

func newRemoval(most int) *removal {
	return &removal{stay: map[string]error{}, untried: map[string]bool{}, parts: tries{most: most}, objects: tries{most: most}}
}

// note counts the contents that stay, at the end of a batch.
func (r *removal) note() {
	for _, key := range slices.Sorted(maps.Keys(r.stay)) {
		if r.first == nil {
			r.first = fmt.Errorf("for example %s: %w", key, r.stay[key])
		}
	}
	r.stayed += len(r.stay)
	r.gone, r.stay = nil, map[string]error{}
}

// err returns an error if contents stay.
func (r *removal) err() error {
	if r.stayed == 0 {
		return nil
	}
	later := ""
	if len(r.untried) > 0 {
		later = " (others wait for the next round, because too many requests failed)"
	}
	return fmt.Errorf("%d of %d contents could not be removed%s, %w", r.stayed, r.removed+r.stayed, later, r.first)
}

// errLater means that too many requests have already failed.
var errLater = errors.New("too many requests have failed")

// try sends a request once. After a temporary failure it pauses, longer each time.
func (t *tries) try(ctx context.Context, request func(context.Context) error) error {
	if t.failed >= t.most {
		return errLater
	}
	bound, cancel := bounded(ctx)
	defer cancel()
	err := request(bound)
	if !errors.Is(err, store.ErrAway) {
		return err
	}
	t.failed++
	return cmp.Or(clock.Sleep(ctx, pauseAfter(t.failed)), err)
}

// named is content to be removed, with the name of its object.
type named struct{ key, name string }

// remove removes a batch. It fails only if the object store does not work at all.
func (s *Store) remove(ctx context.Context, all []store.Leftover, r *removal) error {
	var objects []named
	for _, l := range all {
		name, err := s.name(l.Key)
		if err == nil && l.Uncommitted {
			err = r.parts.try(ctx, func(ctx context.Context) error {
				return explain(ctx, "remove the parts of content "+l.Key, s.removeParts(ctx, name))
			})
		}
		switch {
		case err == nil:
			objects = append(objects, named{l.Key, name})
		case errors.Is(err, errLater):
			r.untried[l.Key] = true
		case s.isAway(ctx, err):
			return err
		default:
			r.stay[l.Key] = err
		}
	}
	return s.removeObjects(ctx, objects, r)
}

// isAway reports whether the whole object store fails, not only one request.
func (s *Store) isAway(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, store.ErrAway) && s.Check(ctx) != nil
}

// removeParts removes the parts of an unfinished upload. If its sender or another janitor removes
// them at the same time, the next attempt no longer finds them.
func (s *Store) removeParts(ctx context.Context, name string) (err error) {
	for range removeAttempts {
		err = s.once.RemoveIncompleteUpload(ctx, s.place.Bucket, name)
		if answer, ok := errors.AsType[minio.ErrorResponse](err); !ok || answer.Code != minio.NoSuchUpload {
			return err
		}
	}
	return err
}

// removeObjects removes objects with one request. If the object store fails for it, one of the
// objects may be the cause, so it tries each half separately.
func (s *Store) removeObjects(ctx context.Context, all []named, r *removal) error {
	if len(all) == 0 {
		return nil
	}
	err := r.objects.try(ctx, func(ctx context.Context) error { return s.removeAtOnce(ctx, all, r) })
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLater):
		for _, n := range all {
			r.untried[n.key] = true
		}
		return nil
	case !errors.Is(err, store.ErrAway), s.isAway(ctx, err):
		return err
	case len(all) == 1:
		r.stay[all[0].key] = err
		return nil
	}
	half := len(all) / 2
	if err := s.removeObjects(ctx, all[:half], r); err != nil {
		return err
	}
	return s.removeObjects(ctx, all[half:], r)
}

// removeAtOnce sends the request. Its answer has a result for each object.
func (s *Store) removeAtOnce(ctx context.Context, all []named, r *removal) error {
	keys := map[string]string{} // by the name of the object
	objects := make(chan minio.ObjectInfo, len(all))
	for _, n := range all {
		keys[n.name] = n.key
		objects <- minio.ObjectInfo{Key: n.name}
	}
	close(objects)
	var failed error
	for result := range s.once.RemoveObjectsWithResult(ctx, s.place.Bucket, objects, minio.RemoveObjectsOptions{}) {
		key, known := keys[result.ObjectName]
		answer, answered := errors.AsType[minio.ErrorResponse](result.Err)
		switch {
		case result.Err == nil && known:
			r.gone = append(r.gone, key)
		case result.Err == nil:
			continue
		case known && answered && answer.StatusCode == 0: // the error is about this object
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
		r.stay[key] = errors.New("the object store's answer does not mention it")
	}
	return nil
}

package s3store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/store"
)

// removal is what became of contents that were to be removed. Those of a batch that are in
// none of its lists wait, or were not come to.
type removal struct {
	gone    []string         // of a batch, for good
	stay    map[string]error // of a batch: why it was not removed, by key
	untried map[string]bool  // of a batch: keys for which too many requests had failed

	removed, stayed int   // of all batches
	first           error // that tells why one stays
	parts, objects  tries
}

// tries are the requests of a kind that failed in a way that may pass.
type tries struct{ failed, most int }

func newRemoval(most int) *removal {
	return &removal{stay: map[string]error{}, untried: map[string]bool{}, parts: tries{most: most}, objects: tries{most: most}}
}

// note counts those that stay, at the end of a batch.
func (r *removal) note() {
	for _, key := range slices.Sorted(maps.Keys(r.stay)) {
		if r.first == nil {
			r.first = fmt.Errorf("such as %s: %w", key, r.stay[key])
		}
	}
	r.stayed += len(r.stay)
	r.gone, r.stay = nil, map[string]error{}
}

// told tells of those that stay.
func (r *removal) told() error {
	if r.stayed == 0 {
		return nil
	}
	later := ""
	if len(r.untried) > 0 {
		later = ", and others are tried later, as too many requests failed"
	}
	return fmt.Errorf("%d of %d contents stay%s, %w", r.stayed, r.removed+r.stayed, later, r.first)
}

// errLater: too many requests have failed for another one.
var errLater = errors.New("it is tried later")

// try sends a request once. A failure that may pass is followed by a pause, which grows.
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
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pauseAfter(t.failed)):
		return err
	}
}

// named is content that is to be removed, with the name of its object.
type named struct{ key, name string }

// remove removes a batch. It fails where the object store does not do its work at all.
func (s *Store) remove(ctx context.Context, all []store.Leftover, r *removal) error {
	var objects []named
	for _, l := range all {
		name, err := s.name(l.Key)
		if err == nil && l.Unsent {
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

// isAway tells a failure of the whole object store from one of a request.
func (s *Store) isAway(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, store.ErrAway) && s.Check(ctx) != nil
}

// removeParts removes what was sent in part. Its sender, or another janitor, may do so at
// that moment: then the next look does not find it.
func (s *Store) removeParts(ctx context.Context, name string) (err error) {
	for range looks {
		err = s.once.RemoveIncompleteUpload(ctx, s.place.Bucket, name)
		if answer, ok := errors.AsType[minio.ErrorResponse](err); !ok || answer.Code != minio.NoSuchUpload {
			return err
		}
	}
	return err
}

// removeObjects removes objects by one request. Where the object store fails for it, that may
// be because of one of them: each half is tried by itself.
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

// removeAtOnce sends the request, whose answer tells of each by itself.
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

package media

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"paperfs/cache/media/journal"
	"paperfs/cache/media/tree"
	"paperfs/remote"
)

// forGood reports whether the service has refused something, and will again.
func forGood(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Refused && !passing(err)
}

func interrupted(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Cancelled || errors.Is(err, context.Canceled)
}

var operations = map[FileKind]string{File: "upload", Directory: "mkdir"}

// passing reports whether a failure may be over when the same is tried again.
func passing(err error) bool {
	if _, weighed := errors.AsType[*doubt](err); weighed {
		return true
	}
	e, ok := errors.AsType[*remote.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case remote.Broken:
		return !e.Foreign
	case remote.Stalled, remote.Unreachable:
		return true
	case remote.Status:
		return e.Status >= 500 || barred(err)
	}
	return general(err)
}

// ours reports whether a failure is this machine's, such as a full disk: it says
// nothing of what was to be sent.
func ours(err error) bool {
	if _, refusal := errors.AsType[*Error](err); refusal || errors.Is(err, remote.ErrChanged) {
		return false
	}
	e, ok := errors.AsType[*remote.Error](err)
	return !ok || e.Kind == remote.Local
}

// general reports whether a failure that passes concerns everything that is
// sent, not one file.
func general(err error) bool {
	if d, weighed := errors.AsType[*doubt](err); weighed {
		return d.all
	}
	if _, ok := errors.AsType[*journal.Unsaved](err); ok {
		return true
	}
	e, ok := errors.AsType[*remote.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case remote.Unreachable: // a reset may be about the file that was sent
		return !e.Ambiguous
	case remote.Throttled, remote.OverBudget:
		return true
	case remote.Refused:
		return e.Code == remote.ReadOnly || diskFull(err) || barred(err)
	case remote.Status: // 403 may be a filter on the way that dislikes one file
		return barred(err) && e.Status != http.StatusForbidden
	}
	return false
}

// diskFull reports whether the service's own disk is full, which somebody sees
// to; a quota is the service's answer for good.
func diskFull(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Full == remote.FullDisk
}

// barred reports whether a failure says that this account is not let in: by
// the service, or by a proxy on the way to it. Nothing is wrong with what was
// sent, and somebody has to do something about it.
func barred(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	if !ok {
		return false
	}
	switch {
	case e.Kind == remote.Refused:
		return e.Code == remote.LoginSecurityViolation
	case e.Kind != remote.Status:
		return false
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusMisdirectedRequest:
		return true
	}
	return false
}

// doubtful reports whether a failure says little about what was sent: something
// on the way may have answered in the service's place.
func doubtful(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case remote.Broken:
		return e.Foreign
	case remote.Refused:
		return !e.Code.Documented()
	case remote.Status:
		return e.Status < 500 && !barred(err) && !aboutTheRequest(e.Status)
	}
	return false
}

// aboutTheRequest reports whether an HTTP status refuses what was sent.
func aboutTheRequest(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusLengthRequired, http.StatusRequestURITooLong, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity, http.StatusRequestHeaderFieldsTooLarge, http.StatusUnavailableForLegalReasons:
		return true
	}
	return false
}

// doubt is a doubtful failure that may pass.
type doubt struct {
	error
	all bool // the service itself does not answer
}

func (d *doubt) Unwrap() error { return d.error }

// The longest times between two attempts. They are rare where the service refuses
// the account, has no space, or refuses one file alone: each attempt sends a whole
// file for nothing, and may count against the account.
const (
	longestPause     = time.Minute
	longestRarePause = 15 * time.Minute
)

// pauseAfter is how long to wait after the n-th failure in a row, the last of
// which is err.
func pauseAfter(n int, err error) time.Duration {
	pause := time.Second << min(n-1, 10)
	switch {
	case barred(err) || diskFull(err):
		return min(10*pause, longestRarePause)
	case doubtful(err) && !general(err):
		return min(pause, longestRarePause)
	}
	return min(pause, longestPause)
}

// longestDoubt is how long something alone is refused in doubtful words before
// that counts as for good. It begins again with each mount.
const longestDoubt = 24 * time.Hour

// weigh asks the service something harmless after a doubtful failure of an
// attempt that began at a time: where that fails too, everything waits, else d
// alone does, for longestDoubt.
func (s *Store) weigh(ctx context.Context, d *tree.Delivery, began time.Time, err error) error {
	silent := s.answers(ctx, began) != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Now()
	switch {
	case silent:
		d.Doubted = time.Time{}
	case d.Doubted.IsZero() || now.Before(d.Doubted): // the clock was set back
		d.Doubted = now
	case now.Sub(d.Doubted) >= longestDoubt:
		return fmt.Errorf("refused for a day, although the service answered other requests: %w", err)
	}
	return &doubt{err, silent}
}

// answers reports why the service itself does not answer, by something harmless
// that is asked after a time.
func (s *Store) answers(ctx context.Context, after time.Time) error {
	if err := s.flights.Since(after, nil, s.fetchTree).Await(ctx); err != nil {
		return err
	}
	if s.offersTree() {
		return nil
	}
	return s.o.Service.Answers(ctx)
}

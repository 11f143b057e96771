package cause

import (
	"context"
	"errors"
	"net/http"

	"paperfs/cache/media/journal"
	"paperfs/cache/media/refusal"
	"paperfs/remote"
)

// ForGood reports whether the service has refused something, and will again.
func ForGood(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Refused && !Passing(err)
}

func Interrupted(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Cancelled || errors.Is(err, context.Canceled)
}

// Passing reports whether a failure may be over when the same is tried again.
func Passing(err error) bool {
	if _, weighed := errors.AsType[*Doubt](err); weighed {
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
		return e.Status >= 500 || Barred(err)
	}
	return General(err)
}

// Ours reports whether a failure is this machine's, such as a full disk: it says
// nothing of what was to be sent.
func Ours(err error) bool {
	if _, refusal := errors.AsType[*refusal.Error](err); refusal || errors.Is(err, remote.ErrChanged) {
		return false
	}
	e, ok := errors.AsType[*remote.Error](err)
	return !ok || e.Kind == remote.Local
}

// General reports whether a failure that passes concerns everything that is
// sent, not one file.
func General(err error) bool {
	if d, weighed := errors.AsType[*Doubt](err); weighed {
		return d.All
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
		return e.Code == remote.ReadOnly || DiskFull(err) || Barred(err)
	case remote.Status: // 403 may be a filter on the way that dislikes one file
		return Barred(err) && e.Status != http.StatusForbidden
	}
	return false
}

// DiskFull reports whether the service's own disk is full, which somebody sees
// to; a quota is the service's answer for good.
func DiskFull(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Full == remote.FullDisk
}

// Barred reports whether a failure says that this account is not let in: by
// the service, or by a proxy on the way to it. Nothing is wrong with what was
// sent, and somebody has to do something about it.
func Barred(err error) bool {
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

// Doubtful reports whether a failure says little about what was sent: something
// on the way may have answered in the service's place.
func Doubtful(err error) bool {
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
		return e.Status < 500 && !Barred(err) && !aboutTheRequest(e.Status)
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

// Doubt is a doubtful failure that may pass.
type Doubt struct {
	Err error
	All bool // the service itself does not answer
}

func (d *Doubt) Error() string { return d.Err.Error() }

func (d *Doubt) Unwrap() error { return d.Err }

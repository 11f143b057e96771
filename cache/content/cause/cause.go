package cause

import (
	"context"
	"errors"
	"net/http"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/refusal"
	"paperfs/cache/state"
	"paperfs/remote"
)

// ForGood reports whether the service refused the request permanently.
func ForGood(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Refused && !Passing(err)
}

// Conflict reports whether the service refused a change because the thing has another version.
func Conflict(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Code == remote.VersionConflict
}

func Interrupted(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Kind == remote.Cancelled || errors.Is(err, context.Canceled)
}

// Passing reports whether a failure is temporary: a retry may succeed.
func Passing(err error) bool {
	if _, weighed := errors.AsType[*UnclearError](err); weighed {
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

// IsLocal reports whether a failure is local, such as a full disk, and says nothing about the
// content.
func IsLocal(err error) bool {
	if _, refusal := errors.AsType[*refusal.Error](err); refusal || errors.Is(err, remote.ErrChanged) {
		return false
	}
	e, ok := errors.AsType[*remote.Error](err)
	return !ok || e.Kind == remote.Local
}

// General reports whether a temporary failure concerns everything that is sent, not one file.
func General(err error) bool {
	if d, weighed := errors.AsType[*UnclearError](err); weighed {
		return d.All
	}
	if _, ok := errors.AsType[*journal.Unsaved](err); ok {
		return true
	}
	if _, ok := errors.AsType[*state.LostError](err); ok {
		return true
	}
	e, ok := errors.AsType[*remote.Error](err)
	if !ok {
		return false
	}
	switch e.Kind {
	case remote.Unreachable: // a connection reset may concern the file that was sent
		return !e.Ambiguous
	case remote.Throttled, remote.OverBudget:
		return true
	case remote.Refused:
		return e.Code == remote.ReadOnly || DiskFull(err) || Barred(err)
	case remote.Status: // 403 may come from a filter that rejects one file
		return Barred(err) && e.Status != http.StatusForbidden
	}
	return false
}

// DiskFull reports whether the service's own disk is full, which is temporary. An exceeded
// quota is a permanent refusal.
func DiskFull(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && e.Full == remote.FullDisk
}

// Barred reports whether the service, or a proxy in front of it, rejects this account. The
// content is not at fault, and someone has to act.
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

// Unclear reports whether a failure says little about the content: something between here and
// the service may have answered instead.
func Unclear(err error) bool {
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

// aboutTheRequest reports whether an HTTP status refuses the content.
func aboutTheRequest(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusLengthRequired, http.StatusRequestURITooLong, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity, http.StatusRequestHeaderFieldsTooLarge, http.StatusUnavailableForLegalReasons:
		return true
	}
	return false
}

// UnclearError is an unclear failure that may be temporary.
type UnclearError struct {
	Err error
	All bool // the service itself does not answer, so everything is affected
}

func (d *UnclearError) Error() string { return d.Err.Error() }

func (d *UnclearError) Unwrap() error { return d.Err }

package s3store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/store"
)

// explain converts a failure to an error that callers distinguish: store.ErrNotFound,
// store.ErrNoSpace, store.ErrAway, or the end of ctx.
func explain(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), errSlow) {
		return fmt.Errorf("%s: the object store %w: %w", what, store.ErrAway, errSlow)
	}
	if ended := ctx.Err(); ended != nil {
		return fmt.Errorf("%s: %w", what, ended)
	}
	answer, answered := errors.AsType[minio.ErrorResponse](err)
	switch {
	case answered && answer.Code == minio.NoSuchKey:
		return fmt.Errorf("%s: %w", what, store.ErrNotFound)
	case answered && (answer.StatusCode == http.StatusInsufficientStorage || answer.Code == "QuotaExceeded"):
		return fmt.Errorf("%s: %w: the object store says: %w", what, store.ErrNoSpace, err)
	case !answered && isNetwork(err), answered && mayPass(answer.StatusCode):
		return fmt.Errorf("%s: the object store %w: %w", what, store.ErrAway, err)
	}
	return fmt.Errorf("%s: the object store says: %w", what, err)
}

// errSlow ends a request that takes longer than requestTime.
var errSlow = errors.New("it takes too long")

// isNetwork reports whether the network failed, not the caller.
func isNetwork(err error) bool {
	_, isURL := errors.AsType[*url.Error](err)
	_, isNet := errors.AsType[net.Error](err)
	return isURL || isNet || errors.Is(err, context.DeadlineExceeded) || isCut(err)
}

func mayPass(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

// isCut reports whether an answer ended early. Content that is too short also counts.
func isCut(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, errEnded)
}

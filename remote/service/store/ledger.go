package store

import (
	"context"
	"errors"
	"time"
)

// Ledger tracks content in a place that cannot be listed to decide what to remove, such as an
// object store. Each content is in one of these states:
//
//	intended   it is being sent or was sent, and no record names it yet
//	kept       a record names it
//	given up   it was intended for too long: no record may name it any more
//	dropped    no record names it any more
//
// Content becomes intended before its first byte is sent. The change that writes a record which
// names the content makes it kept; a later change drops it. Content that was given up or dropped
// is removed after a delay. Each method is a change of its own, which does not wait for the
// changes of tenants. Times are by the clock of the store.
type Ledger interface {
	// Intend records content as intended from now on. For content that is already intended, the
	// time starts again. Kept content stays kept: this is a copy of content whose record was
	// copied before. ErrGivenUp: the content is in another state.
	Intend(ctx context.Context, key string) error
	// Leftovers gives up content that has been intended for at least that long. It returns up to
	// limit contents that were given up or dropped at least that long ago, oldest first, starting
	// after the given leftover; the zero Leftover comes before all.
	Leftovers(ctx context.Context, intended, dropped time.Duration, after Leftover, limit int) ([]Leftover, error)
	// Unknown returns those of the keys that the ledger does not have.
	Unknown(ctx context.Context, keys []string) ([]string, error)
	// Forget deletes the entries of contents that were removed, and of those that were intended
	// but never sent. It leaves kept content alone.
	Forget(ctx context.Context, keys []string) error
}

// Leftover is content to be removed.
type Leftover struct {
	Key         string
	Uncommitted bool      // never committed; part of it may have been sent
	Since       time.Time // when it was given up or dropped
}

// ErrGivenUp means that no record may name the content any more: it came too late.
var ErrGivenUp = errors.New("the content was given up: it took too long to get a record")

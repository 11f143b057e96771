package store

import (
	"context"
	"errors"
	"time"
)

// Ledger knows the content that lies where it cannot be listed for a decision, such
// as in an object store: content is one of
//
//	intended   it is being sent, or was sent, and no record names it
//	kept       a record names it
//	given up   it was intended for too long: no record can come to name it
//	dropped    no record names it any more
//
// Content is intended before its first byte is sent. A change makes it kept, with
// the record that names it, and drops it. What is given up or dropped goes after a
// time. Each method is a change of its own, which waits for no change of a tenant;
// times are by the clock of the store.
type Ledger interface {
	// Intend records content as intended, from now on. Of content that is intended
	// already the time begins again. What is kept stays that: it is the copy of a
	// content whose record was copied before. ErrGivenUp: it is something else.
	Intend(ctx context.Context, key string) error
	// Leftovers gives up what has been intended for that long, and returns so many
	// contents at most that were given up or dropped long enough ago, oldest first, from
	// behind another one on; the zero Leftover stands before all.
	Leftovers(ctx context.Context, intended, dropped time.Duration, behind Leftover, limit int) ([]Leftover, error)
	// Unknown returns those of some keys of which there is nothing.
	Unknown(ctx context.Context, keys []string) ([]string, error)
	// Forget ends the record of contents that were removed, and of those that were
	// intended and never sent. It leaves what is kept.
	Forget(ctx context.Context, keys []string) error
}

// Leftover is content that is to be removed.
type Leftover struct {
	Key    string
	Unsent bool      // it may have been sent in part
	Since  time.Time // when it was given up or dropped
}

// ErrGivenUp: content came too late to its record.
var ErrGivenUp = errors.New("the content was given up: it took too long to get a record")

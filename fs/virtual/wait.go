package virtual

import (
	"context"
	"sync/atomic"

	"paperfs/fs/caller"
)

// Read runs fetch and waits for it. If the caller dies, or a signal is about to kill it,
// Read cancels fetch's context and returns context.Canceled. Read ignores other signals,
// though the kernel cancels ctx for each of them.
func Read[T any](ctx context.Context, fetch func(context.Context) (T, error)) (T, error) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	type outcome struct {
		value T
		err   error
	}
	var out outcome
	done := make(chan struct{})
	go func() {
		defer close(done)
		out.value, out.err = fetch(work)
	}()
	if caller.WaitReading(ctx, caller.Thread(ctx), done) {
		var none T
		return none, context.Canceled
	}
	return out.value, out.err
}

// Change runs a change on the service and waits for it. The change always runs to its end.
// If a signal ends the caller first, Change returns context.Canceled, and calls late with
// the outcome when the change ends.
func Change(ctx context.Context, change func(context.Context) error, late func(error)) error {
	work := context.WithoutCancel(ctx)
	outcome := make(chan error, 1)
	done := make(chan struct{})
	go func() {
		makeRoom()
		outcome <- change(work)
		close(done)
	}()
	if caller.Wait(ctx, caller.Thread(ctx), done) {
		go func() {
			<-done
			late(<-outcome)
		}()
		return context.Canceled
	}
	return <-outcome
}

// makeRoom makes the stack of a new goroutine as large as changes need it. Otherwise it would grow in
// steps, each of which copies the calls of SQLite, whose frames are large.
//
//go:noinline
func makeRoom() byte {
	var room [stack]byte
	return room[used.Load()%stack]
}

const stack = 16 << 10

var used atomic.Uint32 // keeps the compiler from leaving the room out

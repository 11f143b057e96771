package virtual

import (
	"context"
	"sync/atomic"
	"time"

	"paperfs/fs/caller"
)

// Read runs fetch and waits for it. If the caller dies, or a signal is about to kill it,
// Read cancels fetch's context and returns context.Canceled. Read ignores other signals,
// though the kernel cancels ctx for each of them.
func Read[T any](ctx context.Context, fetch func(context.Context) (T, error)) (T, error) {
	return ReadInPlace(ctx, func(ctx context.Context) (value T, err error) {
		type outcome struct {
			value T
			err   error
		}
		out := make(chan outcome, 1)
		go func() {
			var o outcome
			o.value, o.err = fetch(ctx)
			out <- o
		}()
		select {
		case o := <-out:
			return o.value, o.err
		case <-ctx.Done():
			return value, ctx.Err()
		}
	})
}

// ReadInPlace is Read for a fetch that returns as soon as its context ends. fetch runs in the calling
// goroutine: that is quicker, and nothing writes into the kernel's buffer later.
func ReadInPlace[T any](ctx context.Context, fetch func(context.Context) (T, error)) (T, error) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	watch := time.AfterFunc(caller.SoonOver, func() {
		if caller.WaitReading(ctx, caller.Thread(ctx), done) {
			cancel()
		}
	})
	value, err := fetch(work)
	close(done)
	watch.Stop()
	if work.Err() != nil {
		err = context.Canceled
	}
	cancel()
	return value, err
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

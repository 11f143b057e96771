package mount

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/remote"
	"paperfs/remote/clock"
)

const (
	// unasked is the age at which a tree is read again although the service tells of its changes.
	unasked = time.Hour
	// firstAgain and longestAgain are pauses after a request that failed; each failure doubles the pause. A service that
	// cannot be reached is asked as soon as the client allows that.
	firstAgain   = 250 * time.Millisecond
	longestAgain = 10 * time.Second
	// refusedAgain is the pause after the service has refused to tell.
	refusedAgain = time.Minute
	// spread is the time within which the mounts of a service fetch their trees, when all of them have to, or ask whether it is
	// back: it is random which one does when, and the service makes the answer once.
	spread = time.Second
	// sleepCheck is how often the follower looks whether the machine was suspended: its connection is dead then.
	sleepCheck = 5 * time.Second
	// longestFirst is how long a mount is not called ready at most, until it knows what has changed since the mount before.
	longestFirst = 2 * time.Second
	// markKey is the name of the mark in the state.
	markKey = "changes known"
)

// teller is the part of *remote.Client that a follower uses.
type teller interface {
	Offers() (o remote.Offers, known bool)
	Wait(ctx context.Context, after string, atMost time.Duration, client string) (remote.News, error)
	Name() string
}

// follower holds one request, which the service answers when it has news. See doc.go.
type follower struct {
	service teller
	begin   func() func(ctx context.Context, n remote.News) error // is called before a request, and returns what brings the mount up to date
	catchUp func(ctx context.Context, told bool) error            // fetches again the trees that lack what is not told; told: only those of an earlier run
	saved   catalogue.State                                       // keeps the mark for the next mount
	away    func() (again time.Time)                              // when calls go out again, zero if the service is not away
	back    func()                                                // is called when the service answers again
	rpm     func() int                                            // the most requests a minute, 0 for no limit
	slept   func() time.Duration                                  // how long the machine was suspended
	log     *slog.Logger
	pace    pace
	seen    chan struct{} // closed when the first news are taken in, or failed to come

	mu    sync.Mutex
	told  bool
	since time.Time // what has changed after this is told
}

// lasts returns the age at which the mount reads a tree again, given when it fetched the tree. It is ttl if nobody told the
// mount of all changes since then, or if the user wants trees that are younger than the slowest news.
func (f *follower) lasts(fetched time.Time, ttl time.Duration) time.Duration {
	if f.knows(fetched) && ttl >= slowest {
		return max(ttl, unasked)
	}
	return ttl
}

// knows reports whether the mount is told of all that changed since a tree was fetched.
func (f *follower) knows(fetched time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.told && fetched.After(f.since)
}

func (f *follower) isTold() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.told
}

// note records whether the service tells. fresh: only of what changes from now on.
func (f *follower) note(told, fresh bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.told != told {
		f.log.Debug("changes of others", "told", told)
	}
	if f.told = told; fresh {
		f.since = time.Now()
	}
}

// start follows the service until end is called.
func (f *follower) start() (end func()) {
	ctx, cancel := context.WithCancel(remote.Background(context.Background()))
	var work sync.WaitGroup
	f.seen = make(chan struct{})
	f.note(false, true) // what follows a mark of the mount before is told; without one, see heard
	work.Go(func() { f.run(ctx) })
	return func() {
		cancel()
		work.Wait()
	}
}

// run moves the mark only when the mount has taken in what came before it: so what a failure holds up is told again.
func (f *follower) run(ctx context.Context) {
	mark, _, _ := f.saved.Value(markKey)
	first, failures, seen := true, 0, sync.OnceFunc(func() { close(f.seen) })
	if mark == "" { // there is no tree of a mount before, or one that is read again when it is due
		seen()
	}
	for ctx.Err() == nil {
		if offers, known := f.service.Offers(); !offers.Events && (known || mark == "") { // a mark is of a service that tells
			seen()
			f.note(false, false)
			_ = clock.Sleep(ctx, firstAgain<<min(failures, 8)) // costs no request
			failures++
			continue
		}
		most := remote.MostWait
		if !f.isTold() || failures > 0 {
			most = 0 // an ordinary request, which tells how the service is
		}
		_ = clock.Sleep(ctx, f.pace.turn(time.Now(), f.rpm()))
		take := f.begin()
		name := f.service.Name()
		n, err := f.ask(ctx, mark, most, name)
		if err == nil && f.service.Name() != name {
			continue // the answer may leave out a change of this mount that the mount does not know of
		}
		if err == nil {
			err = f.heard(ctx, first, mark, n, take)
		}
		if seen(); err != nil {
			failures++
			f.note(f.isTold() && failures == 1 && !refused(err), false) // who cuts a held request is asked at once
			_ = clock.Sleep(ctx, f.pause(err, failures))
			continue
		}
		if failures > 1 { // not a proxy that cuts what is held
			f.back()
		}
		f.note(true, false)
		if n.Next != mark {
			_ = f.saved.SetValue(markKey, n.Next) // if it cannot, the next mount is told again
		}
		mark, first, failures = n.Next, false, 0
		if n.Any() {
			_ = clock.Sleep(ctx, afterNews)
		}
	}
}

// heard brings the mount up to date with an answer. What changed before a mark is in a tree that was asked for after it alone, so
// with the first mark trees are fetched again.
func (f *follower) heard(ctx context.Context, first bool, mark string, n remote.News, take func(context.Context, remote.News) error) error {
	if !first && (n.Lost || len(n.Trees) > 0) {
		_ = clock.Sleep(ctx, rand.N(spread))
	}
	if mark == "" || n.Lost {
		f.note(true, true) // trees are fetched next
	}
	err := take(ctx, n)
	if first {
		err = errors.Join(err, f.catchUp(ctx, mark != ""))
	}
	return err
}

// pause returns the pause after so many failures. A part of it is random: all mounts of a service fail at once.
func (f *follower) pause(err error, failures int) time.Duration {
	if again := f.away(); !again.IsZero() {
		return time.Until(again) + rand.N(spread)
	}
	pause := min(firstAgain<<min(failures-1, 10), longestAgain)
	if refused(err) {
		pause = refusedAgain
	}
	return pause/2 + rand.N(pause/2)
}

// refused reports whether the service has no place for one more held request, does not know it, or bars the account.
func refused(err error) bool {
	e, ok := errors.AsType[*remote.Error](err)
	return ok && (e.Kind == remote.Throttled || e.Kind == remote.Refused || e.Kind == remote.NotOffered)
}

// ask waits for news. It gives up when the machine has been suspended meanwhile.
func (f *follower) ask(ctx context.Context, mark string, most time.Duration, name string) (remote.News, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if most > 0 {
		before := f.slept()
		go func() {
			for ctx.Err() == nil {
				if _ = clock.Sleep(ctx, sleepCheck); f.slept() > before+time.Second {
					cancel()
				}
			}
		}()
	}
	return f.service.Wait(ctx, mark, most, name)
}

package media

import (
	"context"

	"paperfs/cache/media/lock"
	"paperfs/cache/media/spool"
	"paperfs/cache/media/waiter"
	"paperfs/remote"
)

// uploadFor is upload for a change whose caller may leave: before the last bytes
// are sent that ends it. Where it succeeds, takenLocked has to follow, with the
// rows that tell so.
func (s *Store) uploadFor(ctx context.Context, at target, content *spool.Content) (remote.Upload, error) {
	work, cancel := context.WithCancel(waiter.Begun(ctx))
	defer cancel()
	u := new(undecided)
	content.Gate = u
	waiter.Of(ctx).OnLeave(func() {
		if u.end() {
			cancel()
		}
	})
	up, err := s.upload(work, at, content, true)
	if err != nil && u.ended() {
		err = waiter.ErrLeft
	}
	return up, err
}

// undecided is a gate that its caller can shut until all of the content was sent once.
type undecided struct {
	mu    lock.Mutex[lock.Gate]
	over  bool // it ends
	whole bool // all of it was sent once
}

// end has the content not be sent to its end, and reports whether that can be.
func (u *undecided) end() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = !u.whole
	return u.over
}

func (u *undecided) ended() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.over
}

// Begin implements spool.Gate.
func (u *undecided) Begin() error {
	if u.ended() {
		return waiter.ErrLeft
	}
	return nil
}

// Finish implements spool.Gate.
func (u *undecided) Finish() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		return waiter.ErrLeft
	}
	u.whole = true
	return nil
}

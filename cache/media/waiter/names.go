package waiter

import (
	"context"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/lock"
	"paperfs/remote/rules"
)

// Name is one name in one directory, ignoring case, whatever file has it.
type Name struct {
	Dir    inode.Ino
	folded string
}

// NameOf returns the Name for a name in a directory.
func NameOf(dir inode.Ino, name string) Name { return Name{dir, rules.Fold(name)} }

// Names has the locks of names.
type Names struct {
	mu   lock.Mutex[lock.Names]
	held map[Name]*holder // guarded by mu
}

// holder is a change that has locked names. It is late once its caller no longer waits.
type holder struct {
	change context.Context
	done   chan struct{} // closed when its names are unlocked
}

func (h *holder) late() bool { return HasLeft(h.change) }

// await waits until the names of h are unlocked.
func (h *holder) await(ctx context.Context) error {
	select {
	case <-h.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Names) Init() { p.held = make(map[Name]*holder) }

// Lock locks names, all at once, and returns a function that unlocks them.
func (p *Names) Lock(wanted ...Name) (unlock func()) {
	unlock, _ = p.LockFor(context.Background(), wanted...) // never cancelled
	return unlock
}

// LockFor is Lock for a change whose caller may leave; if it leaves during the wait, LockFor
// fails.
func (p *Names) LockFor(ctx context.Context, wanted ...Name) (unlock func(), err error) {
	h := &holder{ctx, make(chan struct{})}
	for other := p.take(h, wanted); other != nil; other = p.take(h, wanted) {
		if other.await(ctx) != nil {
			return nil, ErrLeft
		}
	}
	return func() {
		p.mu.Lock()
		for _, w := range wanted {
			delete(p.held, w)
		}
		p.mu.Unlock()
		close(h.done)
	}, nil
}

// take locks names for h, or returns a holder of one of them.
func (p *Names) take(h *holder, wanted []Name) *holder {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range wanted {
		if other := p.held[w]; other != nil {
			return other
		}
	}
	for _, w := range wanted {
		p.held[w] = h
	}
	return nil
}

// Late reports whether the holder of any name is late.
func (p *Names) Late() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.held {
		if h.late() {
			return true
		}
	}
	return false
}

// AwaitLate waits until no late change has locked any of the names.
func (p *Names) AwaitLate(ctx context.Context, some ...Name) error {
	for h := p.lateOf(some); h != nil; h = p.lateOf(some) {
		if err := h.await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// lateOf returns a late holder of one of the names, if there is one.
func (p *Names) lateOf(some []Name) *holder {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range some {
		if h := p.held[at]; h != nil && h.late() {
			return h
		}
	}
	return nil
}

// Package namelock locks names in directories, ignoring case, so that only one change of a name
// happens at the service at a time, while changes of other names go on.
//
// The locks are held during requests, so they come before all other locks. A caller that needs
// several takes all of them at once.
package namelock

import (
	"context"
	"slices"
	"sync/atomic"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/lock"
	"paperfs/cache/media/waiter"
	"paperfs/remote/rules"
)

// Name is one name in one directory, ignoring case, whatever file has it.
type Name struct {
	Dir    inode.Ino
	folded string
}

// Of returns the Name for a name in a directory.
func Of(dir inode.Ino, name string) Name { return Name{dir, rules.Fold(name)} }

// Table holds the locks.
type Table struct {
	Late atomic.Int32 // number of late holders

	mu   lock.Mutex[lock.Names]
	held map[Name]*holder // guarded by mu
}

// holder is a change that has locked names.
type holder struct {
	late bool          // guarded by Table.mu: its caller no longer waits
	over bool          // guarded by Table.mu
	done chan struct{} // closed when its names are unlocked
}

func (p *Table) Init() { p.held = make(map[Name]*holder) }

// Lock locks names, all at once, and returns a function that unlocks them.
func (p *Table) Lock(wanted ...Name) (unlock func()) {
	unlock, _ = p.LockFor(context.Background(), wanted...) // never cancelled
	return unlock
}

// LockFor is Lock for a change whose caller may leave; if it leaves during the wait, LockFor
// fails.
func (p *Table) LockFor(ctx context.Context, wanted ...Name) (unlock func(), err error) {
	h := &holder{done: make(chan struct{})}
	for !p.take(h, wanted) {
		if err := p.awaitOne(ctx, wanted, func(*holder) bool { return true }); err != nil {
			return nil, waiter.ErrLeft
		}
	}
	waiter.Of(ctx).OnLeave(func() { p.setLate(h) })
	return func() { p.unlock(h, wanted) }, nil
}

// take locks names for h unless one of them is locked.
func (p *Table) take(h *holder, wanted []Name) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range wanted {
		if p.held[w] != nil {
			return false
		}
	}
	for _, w := range wanted {
		p.held[w] = h
	}
	return true
}

func (p *Table) setLate(h *holder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !h.over && !h.late {
		h.late = true
		p.Late.Add(1)
	}
}

func (p *Table) unlock(h *holder, wanted []Name) {
	p.mu.Lock()
	for _, w := range wanted {
		delete(p.held, w)
	}
	h.over = true
	if h.late {
		p.Late.Add(-1)
	}
	p.mu.Unlock()
	close(h.done)
}

// awaitOne waits until one of the names whose holder counts is unlocked, if there is such a
// holder.
func (p *Table) awaitOne(ctx context.Context, some []Name, counts func(*holder) bool) error {
	p.mu.Lock()
	var h *holder
	for _, at := range some {
		if other := p.held[at]; other != nil && counts(other) {
			h = other
		}
	}
	p.mu.Unlock()
	if h == nil {
		return ctx.Err()
	}
	select {
	case <-h.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// AwaitLate waits until no late change has locked any of the names.
func (p *Table) AwaitLate(ctx context.Context, some ...Name) error {
	for p.Late.Load() > 0 && p.anyLate(some) {
		if err := p.awaitOne(ctx, some, func(h *holder) bool { return h.late }); err != nil {
			return err
		}
	}
	return nil
}

func (p *Table) anyLate(some []Name) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(some, func(at Name) bool { return p.held[at] != nil && p.held[at].late })
}

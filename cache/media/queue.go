package media

import (
	"context"
	"time"

	"paperfs/remote"
)

// delivery is how the sending of a queued node stands. Store.mu guards it.
type delivery struct {
	order    uint64
	spool    uint64 // serial of the queued spool of a file
	patient  bool   // failures that may pass are waited out
	listed   bool   // in Store.line
	paused   bool   // waits for a timer
	sending  bool
	dropped  bool // the user gives up on it
	brake    *brake
	attempts int
	doubted  time.Time               // when it first failed doubtfully, while the service answers; zero: it did not
	next     time.Time               // while paused
	timer    *time.Timer             // ends the pause
	last     error                   // of the last attempt
	cancel   context.CancelCauseFunc // while sending
}

// setQueued puts n among what waits to be sent, or takes it out; s.mu must be
// held.
func (s *Store) setQueued(n *node, queued bool) {
	was := n.queued
	n.queued = queued
	if !queued {
		if was {
			n.own().left = s.keep(n)
		}
		if n.delivery != nil {
			n.own().delivery = nil
		}
		delete(s.queued, n.ino)
		s.dropCopy(n)
		return
	}
	if n.delivery == nil {
		s.order++
		n.own().delivery = &delivery{order: s.order, patient: s.o.WriteBack, brake: new(brake)}
		s.queued[n.ino] = n
		s.bustle.last = time.Now()
		if n.kind == File && n.size == 0 && s.o.Linger > 0 {
			s.rest(n, n.delivery, s.o.Linger)
		}
	}
	s.offer(n)
}

// offer lists n for the senders if it can be sent now; s.mu must be held. What
// cannot is offered again by what changes that: the release of the last
// writer, the making of the directory it lies in, a rename, the end of a pause.
// A directory that others deleted at the service waits to be made again as soon
// as something in it waits.
func (s *Store) offer(n *node) {
	d := n.delivery
	if in := n.parent; d != nil && in != nil && !in.made() && !in.queued && !in.local {
		s.wait(in)
		s.keep(in)
	}
	if d != nil && !d.listed && n.sendable() {
		d.listed = true
		if len(s.line) == 0 {
			s.bustle.since = time.Now()
		}
		s.line = append(s.line, n)
		signal(s.send)
	}
}

// sendable reports whether a queued node can be sent now; Store.mu must be
// held.
func (n *node) sendable() bool {
	d := n.delivery
	return d != nil && !d.paused && !d.sending && !d.dropped && n.writers == 0 && n.parent != nil && n.parent.made()
}

// made reports whether things can be put into a directory at the service;
// Store.mu must be held.
func (dir *node) made() bool { return dir.ino == Root || dir.id != 0 }

// arrived offers what waited for a directory to be made; s.mu must be held.
func (s *Store) arrived(dir *node) {
	for _, n := range dir.children {
		s.offer(n)
	}
}

// sendQueued sends what is queued, Options.Transfers at a time, until the
// store is closed.
func (s *Store) sendQueued(ctx context.Context) {
	ctx = remote.Background(ctx)
	slots := make(chan struct{}, s.o.Transfers)
	for {
		select {
		case slots <- struct{}{}:
		case <-s.quit:
			return
		}
		n, d := s.await()
		if n == nil {
			return
		}
		s.work.Go(func() {
			s.deliver(ctx, n, d)
			<-slots
		})
	}
}

// await waits for the next node to be sent; nil when the store is closed.
func (s *Store) await() (*node, *delivery) {
	for !s.isClosed() {
		var lull <-chan time.Time
		if wait := s.untilLull(); wait > 0 {
			lull = time.After(wait)
		} else if n, d := s.nextReady(); n != nil {
			return n, d
		}
		select {
		case <-s.send:
		case <-lull:
		case <-s.quit:
		}
	}
	return nil, nil
}

// nextReady takes the first node that can be sent, nil when there is none.
func (s *Store) nextReady() (*node, *delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.line) > 0 && !s.held {
		n := s.line[0]
		s.line[0] = nil
		s.line = s.line[1:]
		d := n.delivery
		if d == nil || !d.listed {
			continue
		}
		d.listed = false
		if n.sendable() {
			d.sending = true
			s.active++
			return n, d
		}
	}
	return nil, nil
}

func (s *Store) isClosed() bool {
	select {
	case <-s.quit:
		return true
	default:
		return false
	}
}

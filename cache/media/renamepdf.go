package media

import (
	"context"
	"time"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/waiter"
)

// This file implements the rename of a scratch file below papers/ to the name of a PDF.

// RenamePDF is Rename to the name of a PDF: the file is sent or queued first. If a program has it open for writing (held), the close
// of that program sends it. held is called with the content locked: it must not wait for the store.
func (s *Store) RenamePDF(ctx context.Context, from Ino, name string, to Ino, newName string, pdf PDF, held func() bool) error {
	if err := s.enterFor(journal.RoomToMake); err != nil {
		return err
	}
	defer s.work.Done()
	if pdf.Paper != 0 { // the rename replaces what was sent
		if _, err := s.PDF(pdf.Paper, time.Time{}); err != nil {
			return err
		}
	}
	return s.rename(ctx, from, name, to, &renaming{Store: s, Rename: plan.Rename{Name: newName, PDF: true}, caller: waiter.Of(ctx), pdf: &pdf, held: held})
}

func (m *renaming) publishPDF(ctx context.Context, way plan.Way) error {
	m.mu.RLock()
	err := m.otherNameLocked(m.Dir.Children[m.Name], m.pdf.Other)
	m.mu.RUnlock()
	if err != nil {
		return err
	}
	sends := way == plan.Send && !m.waits()
	if sends {
		if m.busy = m.sendPDF(ctx); !busy(m.busy) {
			return m.busy
		}
	}
	defer m.lockNode(m.Src)()
	replaced, upto, err := m.becomePDF(nil, way == plan.Send && !sends)
	if err == nil {
		err = m.finish(replaced, upto)
	}
	return err
}

// waits reports whether Src is sent later, if at all: by the close of a program that has it open, or because nothing is in it.
func (m *renaming) waits() bool {
	m.mu.RLock()
	empty := m.Src.Size == 0
	m.mu.RUnlock()
	return empty || m.held()
}

// sendPDF sends a scratch file under the name of a PDF. If that fails, the file stays scratch.
func (m *renaming) sendPDF(ctx context.Context) error {
	unlock := m.lockNode(m.Src)
	defer unlock()
	f, err := m.freeze(m.Src)
	if err != nil {
		return err
	}
	m.mu.RLock()
	p := m.sendingLocked(*m.pdf, m.Src, f)
	m.mu.RUnlock()
	up, err := m.process(waiter.Committed(ctx), p, f.content)
	if err != nil {
		f.thaw()
		return err
	}
	m.mu.Lock()
	if *m.pdf = p.PDF; m.Dir.ID != -p.Paper { // it was created
		if older := m.Dir.Children[m.Name]; older != nil {
			m.removeLocked(older, tree.Link{Dir: m.Dir, Name: m.Name})
			m.work.Go(func() { m.orphan(older) })
		}
		m.Dir, m.Name = m.twinLocked(p.Paper), Source
	}
	m.mu.Unlock()
	replaced, upto, err := m.becomePDF(f, false)
	f.sentPDF(up)
	f.thaw()
	if err == nil {
		err = m.finish(replaced, upto)
	}
	return err
}

// becomePDF gives Src its new name: sent as f is, with a close to come that sends it, or queued. A close that runs at the same time locks
// the content after it has left its descriptor: it is either seen here as ended, or sees the PDF. If a close has to come but has ended
// meanwhile, the rename has to be planned again.
func (m *renaming) becomePDF(f *frozen, hasToCome bool) (replaced *tree.Node, upto uint64, err error) {
	n := m.Src
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	queues := f == nil && (m.busy != nil || !m.waits())
	if queues && hasToCome {
		return nil, 0, errReplan
	}
	if queues {
		m.mu.RLock()
		var before tree.Version
		if dst := m.Dir.Children[m.Name]; dst != nil {
			before = dst.Pub
		}
		m.mu.RUnlock()
		if b.Verdict().Final {
			return nil, 0, b.Verdict().Reason
		}
		if err = m.openSpool(b.Spool); err == nil {
			err = m.queueingBodyLocked(n, m.pdf, before)
		}
		if err == nil {
			_, err = m.hardenBodyLocked(n)
		}
		if err != nil {
			return nil, 0, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	*n.PDF = *m.pdf
	replaced = m.commitLocked()
	n.On(tree.Written)
	n.Written = true
	if queues {
		if m.Dir.Unsure {
			n.PDF.Seen = ""
		}
		upto = m.enqueueLocked(n, nil)
		m.holdLocked(n, m.busy)
		return replaced, upto, nil
	}
	return replaced, m.saveLocked(n), nil
}

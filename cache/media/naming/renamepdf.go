package naming

import (
	"context"
	"time"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/journal"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/body"
	"paperfs/cache/media/names"
	"paperfs/cache/media/plan"
	"paperfs/cache/media/upload"
	"paperfs/cache/media/waiter"
)

// This file implements the rename of a scratch file below papers/ to the name of a PDF.

// RenamePDF is Rename to the name of a PDF: the file is sent or queued first. If a program has it open for writing (held), the close
// of that program sends it. held is called with the content locked: it must not wait for the store.
func (s *Naming) RenamePDF(ctx context.Context, from inode.Ino, name string, to inode.Ino, newName string, pdf tree.PDF, held func() bool) error {
	if err := s.bodies.EnterFor(journal.RoomToMake); err != nil {
		return err
	}
	defer s.names.Work.Done()
	if pdf.Paper != 0 { // the rename replaces what was sent
		if _, err := s.names.PDF(pdf.Paper, time.Time{}); err != nil {
			return err
		}
	}
	return s.rename(ctx, from, name, to, &renaming{Naming: s, Rename: plan.Rename{Name: newName, PDF: true}, caller: waiter.Of(ctx), pdf: &pdf, held: held})
}

func (m *renaming) publishPDF(ctx context.Context, way plan.Way) error {
	m.names.Mu.RLock()
	err := m.names.OtherNameLocked(m.Dir.Children[m.Name], m.pdf.Other)
	m.names.Mu.RUnlock()
	if err != nil {
		return err
	}
	sends := way == plan.Send && !m.waits()
	if sends {
		if m.busy = m.sendPDF(ctx); !upload.Busy(m.busy) {
			return m.busy
		}
	}
	defer m.names.LockNode(m.Src)()
	replaced, upto, err := m.becomePDF(nil, way == plan.Send && !sends)
	if err == nil {
		err = m.finish(replaced, upto)
	}
	return err
}

// waits reports whether Src is sent later, if at all: by the close of a program that has it open, or because nothing is in it.
func (m *renaming) waits() bool {
	m.names.Mu.RLock()
	empty := m.Src.Size == 0
	m.names.Mu.RUnlock()
	return empty || m.held()
}

// sendPDF sends a scratch file under the name of a PDF. If that fails, the file stays scratch.
func (m *renaming) sendPDF(ctx context.Context) error {
	unlock := m.names.LockNode(m.Src)
	defer unlock()
	f, err := m.bodies.Freeze(m.Src)
	if err != nil {
		return err
	}
	m.names.Mu.RLock()
	p := m.uploads.SendingLocked(*m.pdf, m.Src, f)
	m.names.Mu.RUnlock()
	up, err := m.uploads.SendPDF(waiter.Committed(ctx), p, f.Content)
	if err != nil {
		f.Thaw()
		return err
	}
	m.names.Mu.Lock()
	if *m.pdf = p.PDF; m.Dir.ID != -p.Paper { // it was created
		if older := m.Dir.Children[m.Name]; older != nil {
			m.names.RemoveLocked(older, tree.Link{Dir: m.Dir, Name: m.Name})
			m.names.Work.Go(func() { m.bodies.DropRemoved(older) })
		}
		m.Dir, m.Name = m.names.TwinLocked(p.Paper), names.Source
	}
	m.names.Mu.Unlock()
	replaced, upto, err := m.becomePDF(f, false)
	f.SentPDF(up)
	f.Thaw()
	if err == nil {
		err = m.finish(replaced, upto)
	}
	return err
}

// becomePDF gives Src its new name: sent as f is, with a close to come that sends it, or queued. A close that runs at the same time locks
// the content after it has left its descriptor: it is either seen here as ended, or sees the PDF. If a close has to come but has ended
// meanwhile, the rename has to be planned again.
func (m *renaming) becomePDF(f *body.Frozen, hasToCome bool) (replaced *tree.Node, upto uint64, err error) {
	n := m.Src
	b := n.Body()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	queues := f == nil && (m.busy != nil || !m.waits())
	if queues && hasToCome {
		return nil, 0, errReplan
	}
	if queues {
		m.names.Mu.RLock()
		var before tree.Version
		if dst := m.Dir.Children[m.Name]; dst != nil {
			before = dst.Pub
		}
		m.names.Mu.RUnlock()
		if b.Verdict().Final {
			return nil, 0, b.Verdict().Reason
		}
		if err = m.bodies.OpenSpool(b.Spool); err == nil {
			err = m.uploads.QueueingBodyLocked(n, m.pdf, before)
		}
		if err == nil {
			_, err = m.bodies.HardenBodyLocked(n)
		}
		if err != nil {
			return nil, 0, err
		}
	}
	m.names.Mu.Lock()
	defer m.names.Mu.Unlock()
	*n.PDF = *m.pdf
	replaced = m.commitLocked()
	n.On(tree.Written)
	n.Written = true
	if queues {
		if m.Dir.Unsure {
			n.PDF.Seen = ""
		}
		upto = m.bodies.EnqueueLocked(n, nil)
		m.uploads.HoldLocked(n, m.busy)
		return replaced, upto, nil
	}
	return replaced, m.names.SaveLocked(n), nil
}

package pending

import (
	"io"
	"time"
)

func (p *PDF) readAt(dest []byte, off int64) (int, error) {
	p.mu.Lock()
	err := p.fill()
	p.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return p.draft.ReadAt(dest, off)
}

// Resize truncates; length 0 needs nothing of what was there.
func (p *PDF) Resize(size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if size == 0 {
		p.filled = true
	}
	if err := p.fill(); err != nil {
		return err
	}
	p.mtime.Store(time.Now().UnixNano())
	return p.draft.Truncate(size)
}

// fill puts into the draft the content that a partial write keeps. p.mu is held.
func (p *PDF) fill() error {
	if p.filled {
		return nil
	}
	if p.cut == nil || p.cut.least > 0 {
		if err := p.fillSent(); err != nil {
			return err
		}
	}
	for _, size := range p.cut.lengths() {
		if size == p.draft.Size() {
			continue
		}
		if err := p.draft.Truncate(size); err != nil {
			return err
		}
	}
	p.filled = true
	return nil
}

// fillSent puts into the draft what was sent, nothing where nothing was.
func (p *PDF) fillSent() error {
	paper := p.paper.Load()
	if _, ok, err := p.set.Documents.Source(paper); err != nil || !ok {
		return err
	}
	f, _, err := p.set.openSent(paper)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.NewOffsetWriter(p.draft, 0), f)
	return err
}

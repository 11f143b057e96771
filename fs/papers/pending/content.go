package pending

import (
	"io"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
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

// Resize truncates the content. Length 0 does not need the old content.
func (p *PDF) Resize(size int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if size == 0 {
		p.unfilled.Store(false)
	}
	if err := p.fill(); err != nil {
		return err
	}
	p.mtime.Store(time.Now().UnixNano())
	return p.draft.Truncate(size)
}

// fill copies the content that a partial write preserves into the draft. The caller holds
// p.mu.
func (p *PDF) fill() error {
	if !p.unfilled.Load() {
		return nil
	}
	if p.initial == nil || p.initial.shortest > 0 {
		if err := p.fillSent(); err != nil {
			return err
		}
	}
	for _, size := range p.initial.lengths() {
		if size == p.draft.Size() {
			continue
		}
		if err := p.draft.Truncate(size); err != nil {
			return err
		}
	}
	p.unfilled.Store(false)
	return nil
}

// size returns the length of the content, also before fill.
func (p *PDF) size() (int64, error) {
	switch {
	case !p.unfilled.Load():
		return p.draft.Size(), nil
	case p.initial != nil:
		return p.initial.last, nil
	}
	sent, _, err := p.set.Documents.Source(p.paper.Load())
	return sent.Size, err
}

// Unwritten reports whether no program has written to p. Then only those that have it open
// see its size.
func (p *PDF) Unwritten() bool { return !p.written.Load() }

// fillSent copies the PDF that was sent, if any, into the draft.
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

// Attr fills in the size and time of the content, or of the content that the first write
// starts from. It fails only if it has to read the state.
func (p *PDF) Attr(out *fuse.Attr) error {
	size, err := p.size()
	if err != nil {
		return err
	}
	out.Size = uint64(size)
	if set := p.mtime.Load(); set != 0 {
		mtime := time.Unix(0, set)
		out.SetTimes(nil, &mtime, nil)
	}
	return nil
}

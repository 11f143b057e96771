package spool

import (
	"sync"
	"time"
)

// Progress is the set of contents that are being sent, and how much of each was sent. Its zero
// value is empty.
type Progress struct {
	underWay sync.Map // of *Content to Transfer
	Ended    func()   // called after an upload; nil: nothing to be done
}

// Transfer is an upload in progress.
type Transfer struct {
	*Content
	Path  func() string // destination now, as in failed.Entry
	Since time.Time
}

// Begin adds an upload.
func (p *Progress) Begin(c *Content, path func() string, since time.Time) {
	p.underWay.Store(c, Transfer{c, path, since})
}

// End undoes Begin.
func (p *Progress) End(c *Content) {
	p.underWay.Delete(c)
	if p.Ended != nil {
		p.Ended()
	}
}

// List returns the uploads in progress, in no order.
func (p *Progress) List() (list []Transfer) {
	for _, t := range p.underWay.Range {
		list = append(list, t.(Transfer))
	}
	return list
}

// Idle reports whether no upload is in progress.
func (p *Progress) Idle() bool { return len(p.List()) == 0 }

// ByPath returns the number of bytes sent per upload in progress.
func (p *Progress) ByPath() map[string]int64 {
	sent := make(map[string]int64)
	for _, c := range p.List() {
		sent[c.Path()] = c.Sent()
	}
	return sent
}

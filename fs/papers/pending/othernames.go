package pending

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	"paperfs/fs/errno"
)

// OtherNames are the names, one a paper, under which PDFs were put into papers' directories
// in this run. Each is the source.pdf of its paper, and not listed.
type OtherNames struct {
	mu sync.Mutex
	of map[int64]*otherName // guarded by mu, by paper
}

type otherName struct {
	name    string
	writers int
	sent    time.Time // when the last of them has ended, zero: nothing was sent yet
}

// justSent is how long a second name is refused after the first was sent: `cp *.pdf
// X.paper/` would replace one by the other.
const justSent = 10 * time.Minute

// Has reports whether a paper's PDF has such a name.
func (o *OtherNames) Has(paper int64, name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.of[paper]
	return at != nil && at.name == name
}

// Check refuses a second name.
func (o *OtherNames) Check(paper int64, name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.of[paper].conflict(name)
}

// refuses returns why a PDF cannot be put into the paper under a name, nil where it can.
func (at *otherName) conflict(name string) error {
	if at != nil && at.name != name && (at.writers > 0 || time.Since(at.sent) < justSent) {
		return errno.Refuse(syscall.EEXIST, fmt.Sprintf("%q was just put into this paper, and a paper has one PDF: write to source.pdf to replace it", at.name))
	}
	return nil
}

// Begin is called before a PDF of another name is written or sent. It refuses a second name.
func (o *OtherNames) Claim(paper int64, name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.of[paper]
	if err := at.conflict(name); err != nil {
		return err
	}
	if at == nil || at.name != name {
		if o.of == nil {
			o.of = map[int64]*otherName{}
		}
		at = &otherName{name: name}
		o.of[paper] = at
	}
	at.writers++
	return nil
}

// End is called once after Begin. Where nothing was sent, the name is free again.
func (o *OtherNames) Release(paper int64, name string, sent bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.of[paper]
	if at == nil || at.name != name {
		return // it was removed
	}
	if at.writers--; sent {
		at.sent = time.Now()
	}
	if at.writers <= 0 && at.sent.IsZero() {
		delete(o.of, paper)
	}
}

// Remove takes a name away, and reports whether there was one.
func (o *OtherNames) Remove(paper int64, name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.of[paper]
	if at == nil || at.name != name {
		return false
	}
	delete(o.of, paper)
	return true
}

package pending

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	"paperfs/fs/errno"
)

// OtherNames are the names, one per paper, under which PDFs were put into papers'
// directories in this run. Each stands for the source.pdf of its paper and is not listed.
type OtherNames struct {
	mu sync.Mutex
	of map[int64]*otherName // guarded by mu, by paper
}

type otherName struct {
	name    string
	writers int
	sent    time.Time // when the last writer finished; zero: nothing was sent yet
}

// justSent is how long a second name is refused after a PDF was sent under the first: `cp
// *.pdf X.paper/` would replace one PDF with the other.
const justSent = 10 * time.Minute

// Has reports whether a paper's PDF has this name.
func (o *OtherNames) Has(paper int64, name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.of[paper]
	return at != nil && at.name == name
}

// Check returns an error if the name would be a second name.
func (o *OtherNames) Check(paper int64, name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.of[paper].conflict(name)
}

// conflict returns why a PDF cannot be put into the paper under a name, or nil.
func (at *otherName) conflict(name string) error {
	if at != nil && at.name != name && (at.writers > 0 || time.Since(at.sent) < justSent) {
		return errno.Refuse(syscall.EEXIST, fmt.Sprintf("%q was just put into this paper, and a paper has one PDF: write to source.pdf to replace it", at.name))
	}
	return nil
}

// Claim is called before a PDF is written or sent under a name. It refuses a second name.
func (o *OtherNames) Claim(paper int64, name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.of[paper]
	if err := at.conflict(name); err != nil {
		return err
	}
	if at == nil || at.name != name {
		at = &otherName{name: name}
		o.of[paper] = at
	}
	at.writers++
	return nil
}

// Release is called once for each Claim. If nothing was sent, the name is free again.
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

// Remove removes a name and reports whether the paper had it.
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

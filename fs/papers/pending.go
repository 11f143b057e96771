package papers

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"

	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// pending is content on its way to the service, or, while it has a temporary name, what may
// be. All who have it open share it, by whatever name. It begins with the PDF
// that was sent from here, unless that is truncated first.
type pending struct {
	*Tree
	draft     *media.Draft
	paper     atomic.Int64           // that it is for; 0: it is not made yet, or the name is temporary
	mtime     atomic.Int64           // of what was written, or as a program has set it; 0: nothing was
	written   atomic.Bool            // by a program; truncation alone sends nothing
	gone      atomic.Bool            // its name was removed: nothing is sent
	asksAfter atomic.Int64           // after how many nanoseconds in the queue the next attempt looks at the paper first
	since     atomic.Int64           // it is queued; nanoseconds since 1970, 0 for what an earlier run has queued
	told      atomic.Pointer[string] // why it is delayed, as it was told last; nil: it was not

	mu     sync.Mutex // guards filled, and orders what changes the draft
	filled bool       // the draft has the content that partial writes keep
	cut    *cut       // what truncations had left of that content before the opening, nil: there was none; never changes

	// drafts.mu guards the rest.
	trims    *cut      // what truncations leave of what is sent or queued once more is written, nil: all; changed under mu, too, until it has ended
	to       *pdfPlace // nil: it has a temporary name, and no close sends it
	openings []*opening
	named    bool   // by a temporary name
	other    string // the name that a rename has begun, of others
	ended    bool   // nobody can write to it any more
}

// pdfPlace is where a PDF is sent to: its publisher.
type pdfPlace struct {
	name  string      // from the mount's root, as whoever uses it named it
	path  string      // the same for drafts and failed/: source.pdf for a PDF of another name
	paper int64       // 0: it may have to be made
	at    names.Entry // of a PDF beside a paper
	isNew bool        // there was no paper: one that others make is not replaced
	other string      // of a PDF in a paper's directory with another name than source.pdf
	there bool
	send  func(ctx context.Context, paper int64, pdf remote.Content, written time.Time, making making) (sha256 string, err error)
	tells func() (told func(context.Context)) // of a paper that was made; nil: there is nothing to tell
}

// making is told of a paper that a PDF has made.
type making struct {
	may  func(may bool) error    // whether an attempt may have made it; nil: nobody asks
	made func(paper int64) error // before the PDF is sent
}

// place is where it is sent to, nil where it stays here.
func (p *pending) place() *pdfPlace {
	p.drafts.mu.Lock()
	defer p.drafts.mu.Unlock()
	return p.to
}

// attr shows what is being written.
func (p *pending) attr(out *fuse.Attr) {
	out.Size = uint64(p.draft.Size())
	if set := p.mtime.Load(); set != 0 {
		mtime := time.Unix(0, set)
		out.SetTimes(nil, &mtime, nil)
	}
}

// shown reports whether it is what its name shows: something was written that is not sent, and
// nothing has gone wrong with it.
func (p *pending) shown() bool {
	return p.written.Load() && !p.draft.Clean() && p.draft.Failure() == nil
}

// at is the time at which it was written, zero where nothing was.
func (p *pending) at() time.Time {
	if set := p.mtime.Load(); set != 0 {
		return time.Unix(0, set)
	}
	return time.Time{}
}

// queue has what was written sent in the background, once that it will be is durable here.
func (p *pending) queue() error {
	to := p.place()
	err := p.draft.Queue(p.queuing(to, p.paper.Load()))
	if err != nil || !p.draft.Queued() {
		return err
	}
	p.drafts.replaced(p.paper.Load(), to.at, p)
	p.publish()
	return nil
}

// publish has what was queued sent.
func (p *pending) publish() {
	if paper := p.paper.Load(); p.drafts.isUnsure(paper) {
		_ = p.draft.Unsee() // else it may be taken for one over a colleague's
	}
	p.since.Store(time.Now().UnixNano())
	p.asksAfter.Store(int64(waitsMost))
	p.told.Store(nil)
	p.draft.PublishBy(p)
}

// queuing is what is told of p where it is queued for a place of a paper.
func (p *pending) queuing(to *pdfPlace, paper int64) media.Queuing {
	q := media.Queuing{Dir: to.at.Dir, New: to.isNew, Written: p.at(), Seen: p.Documents.Seen(paper), Check: to.check}
	if q.Seen != "" && (p.drafts.isUnsure(paper) || p.drafts.mayHaveSent(paper, to.at, p)) {
		q.Seen = ""
	}
	return q
}

// requeue has what an earlier run has queued sent.
func (t *Tree) requeue() {
	for _, q := range t.Media.QueuedPDFs() {
		p := &pending{Tree: t, draft: q.Draft, filled: true}
		p.paper.Store(q.Paper)
		p.written.Store(true)
		if !q.Written.IsZero() {
			p.mtime.Store(q.Written.UnixNano())
		}
		name := strings.TrimPrefix(q.Path, "/")
		if p.to = t.sourcePlace(q.Paper, name, name); q.Dir != 0 {
			p.to = beside{&category{place{Tree: t, node: q.Dir}}, filepath.Base(name)}.placeAt(name, q.New)
		}
		if q.Making {
			t.drafts.makes(p.to.at)
		}
		t.drafts.add(p)
		q.PublishBy(p)
	}
}

// send sends what was written, or what is queued.
func (p *pending) send(ctx context.Context) error { return p.sendBy(ctx, p.draft.Send) }

func (p *pending) sendBy(ctx context.Context, send func(func(remote.Content) (string, error)) error) error {
	told := func(context.Context) {}
	defer func() { told(ctx) }()
	to := p.place()
	return send(func(pdf remote.Content) (string, error) {
		sum, err := to.send(ctx, p.paper.Load(), pdf, p.at(), making{p.draft.Making, func(paper int64) error {
			if p.paper.Swap(paper) == 0 && to.tells != nil {
				told = to.tells()
			}
			return p.draft.For(paper, to.path)
		}})
		if err == nil {
			p.drafts.sure(p.paper.Load())
			if !p.gone.Load() { // else its name was removed while it was being sent
				p.shows(p.paper.Load())
			}
		}
		return sum, err
	})
}

func (p *pending) readAt(dest []byte, off int64) (int, error) {
	p.mu.Lock()
	err := p.fill()
	p.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return p.draft.ReadAt(dest, off)
}

// resize truncates; length 0 needs nothing of what was there.
func (p *pending) resize(size int64) error {
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
func (p *pending) fill() error {
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
func (p *pending) fillSent() error {
	paper := p.paper.Load()
	if _, ok, err := p.Documents.Source(paper); err != nil || !ok {
		return err
	}
	f, _, err := p.openSent(paper)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.NewOffsetWriter(p.draft, 0), f)
	return err
}

// end is called when nobody can write to it any more. It sends what no close could: after an exec
// none may have come. The outcome is in errors, since no call reports it. It waits for
// nothing: the kernel holds up readers while many releases are not answered.
func (p *pending) end(ctx context.Context) {
	last := func() {}
	to := p.place()
	if to != nil && p.other != "" {
		p.others.end(p.paper.Load(), p.other, p.written.Load() && p.draft.Failure() == nil)
	}
	if to != nil && p.written.Load() && !p.gone.Load() {
		ctx := context.WithoutCancel(ctx)
		last = func() { p.Tell.Tell("process", to.name, p.paper.Load(), p.send(ctx)) }
	}
	p.draft.Release(last, func() { p.drafts.remove(p) }) // what it has sent is found until it is in the cache
}

// latest is what a name shows: what is being written, by writing, or else what was sent. With any,
// writing also finds what is not shown. What was being written at the first look may have been
// sent, and be gone, at the second: so each look is repeated before it is said that there is nothing.
func latest(writing func(any bool) *pending, sent func() (*os.File, string, error)) (p *pending, f *os.File, sha256 string, err error) {
	for range 2 {
		if p = writing(false); p != nil {
			return p, nil, "", nil
		}
		if f, sha256, err = sent(); err == nil {
			return nil, f, sha256, nil
		}
		if p = writing(true); p != nil {
			return p, nil, "", nil
		}
	}
	return nil, nil, "", err
}

// openSent opens the PDF that was sent from here for a paper.
func (t *Tree) openSent(paper int64) (f *os.File, sha256 string, err error) {
	sent, ok, err := t.Documents.Source(paper)
	if err != nil {
		return nil, "", err
	}
	if ok {
		f, err = t.openContent(paper, sent.SHA256)
	}
	if !ok || errors.Is(err, os.ErrNotExist) {
		return nil, "", errno.Refuse(syscall.EOPNOTSUPP, "the service does not return PDFs, and this one is not kept here")
	}
	return f, sent.SHA256, err
}

// openContent opens content that was sent, which is in the cache once the release that
// follows the close is done.
func (t *Tree) openContent(paper int64, sha256 string) (*os.File, error) {
	f, err := t.Media.OpenContent(sha256)
	for _, p := range t.drafts.all(paper) {
		if err != nil {
			f, err = p.draft.OpenSent(sha256)
		}
	}
	if err != nil {
		f, err = t.Media.OpenContent(sha256) // the release came between
	}
	return f, err
}

// check refuses what makes no paper, before that is made. A paper that is there may be sent
// anything: the service refuses it.
func (to *pdfPlace) check(pdf remote.Content) error {
	if to.at == (names.Entry{}) {
		return nil
	}
	return checkPDF(pdf)
}

// sourcePlace is that of source.pdf in a paper's directory, by a name.
func (t *Tree) sourcePlace(paper int64, name, path string) *pdfPlace {
	to := &pdfPlace{name: name, path: "/" + path, paper: paper, there: !t.removed.has(paper)}
	to.send = func(ctx context.Context, _ int64, pdf remote.Content, written time.Time, _ making) (string, error) {
		sent, err := t.Documents.Process(ctx, paper, pdf, written)
		return sent.SHA256, err
	}
	return to
}

// place is that of a PDF beside a paper. A new one must not be somebody else's.
func (b beside) place() *pdfPlace {
	return b.placeAt(virtual.Path(&b.category.Inode, b.name), b.paper() == 0)
}

// placeAt is place where the path is known.
func (b beside) placeAt(name string, isNew bool) *pdfPlace {
	c := b.category
	return &pdfPlace{name: name, path: "/" + name, paper: b.paper(), at: b.entry(), isNew: isNew,
		send: func(ctx context.Context, paper int64, pdf remote.Content, written time.Time, making making) (string, error) {
			return b.process(ctx, paper, isNew, pdf, written, making)
		},
		tells: func() func(context.Context) {
			made, _ := names.PaperOf(b.name)
			if shown := c.category(c.nodeID()); shown != nil { // else the kernel knows nothing of it
				return shown.tells(made)
			}
			return func(context.Context) {}
		}}
}

package media

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// fakePapers is a Processor without a service. It knows what was sent for each paper, also after a kill.
type fakePapers struct {
	mu      sync.Mutex
	store   *Store // the one that it answers: one that was killed sends nothing any more
	sent    map[int64]tree.Version
	all     []string // what was sent, "7: %PDF", in its order
	next    int64    // the paper that is created next
	seen    string   // what a paper is known to have
	away    error    // of every call, while it is set
	answers []error  // one for each of the next calls

	// during is called once all of a PDF has arrived but its last bytes, and whole after these.
	during, whole func(ctx context.Context, p *Sending, c remote.Content)
}

func newFakePapers() *fakePapers { return &fakePapers{sent: map[int64]tree.Version{}, next: 100} }

// withPapers returns a fixture that sends PDFs.
func withPapers(t *testing.T, options ...func(*Options)) (*fixture, *fakePapers) {
	papers := newFakePapers()
	f := newFixture(t, append(options, papers.known)...)
	f.sendTo(papers)
	return f, papers
}

func (p *fakePapers) known(o *Options) {
	o.SentPDF = func(paper int64) (string, int64, time.Time, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		v, there := p.sent[paper]
		if !there {
			return "", 0, time.Time{}, nil
		}
		return v.SHA256.String(), v.Size, v.ModTime.Time(), nil
	}
}

// sendTo lets the store of the fixture, also one that it opens later, send PDFs.
func (f *fixture) sendTo(papers *fakePapers) {
	papers.tell(func(p *fakePapers) { p.store = f.store })
	f.papers = papers
	f.store.Process(sendingOf{papers, f.store})
}

// sendingOf is what a store sends PDFs with.
type sendingOf struct {
	*fakePapers
	store *Store
}

// Process implements Processor.
func (s sendingOf) Process(ctx context.Context, p *Sending, content remote.Content) (string, error) {
	s.mu.Lock()
	killed := s.store != s.fakePapers.store
	s.mu.Unlock()
	if killed {
		return "", unreachable
	}
	return s.fakePapers.Process(ctx, p, content)
}

func (p *fakePapers) tell(change func(*fakePapers)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// goAway makes every call fail; nil ends that.
func (p *fakePapers) goAway(err error) { p.tell(func(p *fakePapers) { p.away = err }) }

// answer scripts the answers to the next calls.
func (p *fakePapers) answer(errs ...error) {
	p.tell(func(p *fakePapers) { p.answers = append(p.answers, errs...) })
}

// arrived returns what was sent.
func (p *fakePapers) arrived() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.all...)
}

// Process implements Processor.
func (p *fakePapers) Process(ctx context.Context, s *Sending, content remote.Content) (string, error) {
	unasked("process")
	p.mu.Lock()
	err, during, whole := p.away, p.during, p.whole
	if err != nil {
		p.mu.Unlock()
		return "", err
	}
	if len(p.answers) > 0 {
		err, p.answers = p.answers[0], p.answers[1:]
	}
	p.mu.Unlock()
	if s.Paper == 0 && err == nil {
		p.mu.Lock()
		p.next++
		made := p.next
		p.mu.Unlock()
		if _, err := s.Made(made); err != nil {
			return "", err
		}
	}
	r, failed := content.Open()
	if failed != nil {
		return "", failed
	}
	data, failed := io.ReadAll(r)
	if failed != nil {
		return "", failed
	}
	if during != nil {
		during(ctx, s, content)
	}
	if err == errEarly {
		return "", err
	}
	if failed := content.(remote.Finisher).Finish(); failed != nil {
		return "", failed
	}
	if whole != nil {
		whole(ctx, s, content)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent[s.Paper] = tree.SentPDF(sum(data), int64(len(data)), s.Written)
	p.store.PinPDFs(s.Paper, []string{sum(data)})
	p.all = append(p.all, fmt.Sprintf("%d: %s", s.Paper, data))
	return sum(data), nil
}

// Queueing implements Processor.
func (p *fakePapers) Queueing(pdf *PDF, _ remote.Content) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	pdf.Seen = p.seen
	return nil
}

// SetWritten implements Processor.
func (p *fakePapers) SetWritten(paper int64, at time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.sent[paper]
	p.sent[paper] = tree.SentPDF(v.SHA256.String(), v.Size, at)
	return nil
}

var (
	// errBusy is the answer for a paper of which another PDF is being processed.
	errBusy = &remote.Error{Op: "ProcessPDF", Kind: remote.Refused, Code: remote.AlreadyBeingProcessed}
	// errEarly is a refusal before all of the PDF was sent.
	errEarly = &remote.Error{Op: "ProcessPDF", Kind: remote.Refused, Code: remote.Failure, Message: "too large"}
)

// pdfPath is where the PDF of paper 7 is.
const pdfPath = "/papers/a.paper/source.pdf"

// pdf opens the PDF of paper 7, as a program does that writes it anew.
func (f *fixture) pdf() *Handle {
	a, err := f.store.PDF(7, time.Unix(1, 0))
	require.NoError(f.t, err)
	require.NoError(f.t, f.store.BeginPDF(a.Ino, PDF{Paper: 7, Path: pdfPath}))
	h, err := f.store.Open(a.Ino, true)
	require.NoError(f.t, err)
	return h
}

// put replaces the PDF of paper 7, as cp does, and returns the outcome of the close.
func (f *fixture) put(content string) error {
	h := f.pdf()
	require.NoError(f.t, h.Truncate(0))
	return f.finish(h, content)
}

// beside creates NAME.pdf in category 3, of which a paper is to be created.
func (f *fixture) beside(name string) (Attr, *Handle) {
	a, h, err := f.store.CreatePDF(f.store.Twin(3), name, PDF{Dir: 3, Path: "/papers/" + name, New: true})
	require.NoError(f.t, err)
	return a, h
}

// sentBefore returns the content of a PDF that was sent, or "" if it is nowhere.
func (f *fixture) sentBefore(content string) string {
	file, err := f.store.OpenPDF(sum([]byte(content)))
	if err != nil {
		require.True(f.t, Is(err, NoContent), "%v", err)
		return ""
	}
	defer file.Close()
	kept, err := io.ReadAll(file)
	require.NoError(f.t, err)
	return string(kept)
}

// queuedPDF is what the queue has of the PDF of a paper.
type queuedPDF struct {
	PDF
	written time.Time
	content string
}

// queuedPDFs returns the queued PDFs in their order.
func (f *fixture) queuedPDFs() (list []queuedPDF) {
	s := f.store
	s.Mu.RLock()
	var nodes []*tree.Node
	for _, n := range s.PDFsLocked() {
		if n.Queued() {
			nodes = append(nodes, n)
		}
	}
	s.Mu.RUnlock()
	for _, n := range nodes {
		b := n.Body()
		b.Mu.Lock()
		require.NoError(f.t, s.OpenSpool(b.Pending))
		content, err := io.ReadAll(io.NewSectionReader(b.Pending.F, 0, b.Pending.Size))
		b.Mu.Unlock()
		require.NoError(f.t, err)
		s.Mu.RLock()
		list = append(list, queuedPDF{*n.PDF, n.Mtime.Time(), string(content)})
		s.Mu.RUnlock()
	}
	return list
}

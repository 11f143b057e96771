package catalogue

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// fake is a service that obeys the contract, on a model. It counts requests, and tests can
// make it fail or hold back its answers.
type fake struct {
	mu     sync.Mutex
	m      *model
	counts map[string]int
	total  int
	// unchanged counts the GetAllPapers that returned no tree.
	unchanged int
	turns     []int                    // number of calls of each turn
	usedUp    bool                     // the request budget is used up: calls that do not wait for their turn fail
	fails     map[string][]error       // next answers of an operation; nil means a normal answer
	gates     map[string]chan struct{} // answers of an operation wait until this is closed, after the effect
	held      chan string              // receives each answer that waits
}

func newFake(m *model) *fake {
	return &fake{m: m, counts: map[string]int{}, fails: map[string][]error{}, gates: map[string]chan struct{}{},
		held: make(chan string, 1000)}
}

func refused(op *remote.Operation, code remote.Code) error {
	return &remote.Error{Op: op.Name, Kind: remote.Refused, Code: code, Message: "No: " + string(code)}
}

func (f *fake) fail(op *remote.Operation, errs ...error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails[op.Name] = errs
}

// freeze holds back the answers of an operation until release is called.
func (f *fake) freeze(op *remote.Operation) (release func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	gate := make(chan struct{})
	f.gates[op.Name] = gate
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.gates, op.Name)
		close(gate)
	}
}

func (f *fake) count(op *remote.Operation) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[op.Name]
}

func (f *fake) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.total
}

// do counts a request, applies the effect under the lock, and waits at the gate.
func (f *fake) do(ctx context.Context, op *remote.Operation, effect func() error) error {
	f.mu.Lock()
	f.counts[op.Name]++
	f.total++
	var err error
	if planned := f.fails[op.Name]; len(planned) > 0 {
		err, f.fails[op.Name] = planned[0], planned[1:]
	}
	if f.usedUp && !op.Changes && !remote.IsPatient(ctx) {
		err = &remote.Error{Op: op.Name, Kind: remote.OverBudget}
	}
	if err == nil {
		err = effect()
	}
	gate := f.gates[op.Name]
	f.mu.Unlock()
	if gate != nil {
		f.held <- op.Name
		select {
		case <-gate:
		case <-ctx.Done():
			return &remote.Error{Op: op.Name, Kind: remote.Cancelled, Ambiguous: true, Err: ctx.Err()}
		}
	}
	return err
}

func (f *fake) GetAllPapers(ctx context.Context, id int64, visit func(remote.Node) error) error {
	_, err := f.GetAllPapersIfChanged(ctx, id, "", visit)
	return err
}

// GetAllPapersIfChanged uses a hash of the tree as its validator: undoing a change restores
// the validator.
func (f *fake) GetAllPapersIfChanged(ctx context.Context, id int64, known remote.Validator, visit func(remote.Node) error) (now remote.Validator, err error) {
	var nodes []remote.Node
	err = f.do(ctx, remote.GetAllPapers, func() error {
		if _, ok := f.m.nodes[id]; !ok {
			return refused(remote.GetAllPapers, remote.PaperDoesNotExist)
		}
		err := f.m.visit(id, func(n remote.Node) error {
			if len(nodes) == 0 {
				n.Parent = 0
			}
			nodes = append(nodes, n)
			return nil
		})
		if now = remote.Validator(fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, nodes)))); err == nil && now == known {
			f.unchanged++
			return remote.ErrUnchanged
		}
		return err
	})
	for i := 0; i < len(nodes) && err == nil; i++ {
		err = visit(nodes[i])
	}
	return now, err
}

func (f *fake) holder(url string) int64 {
	for id, n := range f.m.nodes {
		if strings.EqualFold(n.URL, url) {
			return id
		}
	}
	return 0
}

func (f *fake) GetPaperIDFromUrl(ctx context.Context, url string) (id int64, found bool, err error) {
	err = f.do(ctx, remote.GetPaperIDFromUrl, func() error {
		if !strings.HasPrefix(url, "/") || !strings.HasSuffix(url, "/") {
			return refused(remote.GetPaperIDFromUrl, remote.Failure)
		}
		id = f.holder(url)
		return nil
	})
	return id, id != 0 && err == nil, err
}

func (f *fake) GetPaperUrlFromID(ctx context.Context, id int64) (url string, err error) {
	err = f.do(ctx, remote.GetPaperUrlFromID, func() error {
		n, ok := f.m.nodes[id]
		if !ok {
			return refused(remote.GetPaperUrlFromID, remote.PaperDoesNotExist)
		}
		url = n.URL
		return nil
	})
	return url, err
}

func (f *fake) CreateCategory(ctx context.Context, parent remote.Node, name, urlName string) (int64, error) {
	return f.create(ctx, remote.CreateCategory, remote.CategoryNode, parent, name, urlName)
}

func (f *fake) CreatePaper(ctx context.Context, parent remote.Node, name, urlName string) (int64, error) {
	return f.create(ctx, remote.CreatePaper, remote.PaperNode, parent, name, urlName)
}

func (f *fake) create(ctx context.Context, op *remote.Operation, kind remote.NodeKind, parent remote.Node, name, urlName string) (id int64, err error) {
	err = f.do(ctx, op, func() error {
		above, ok := f.m.nodes[parent.ID]
		switch {
		case !ok:
			return refused(op, remote.PaperDoesNotExist)
		case above.Kind != remote.CategoryNode || checkSegment(urlName) != nil || f.holder(above.URL+urlName+"/") != 0:
			return refused(op, remote.Failure)
		}
		id = f.m.next
		f.m.next++
		f.m.nodes[id] = remote.Node{ID: id, Parent: parent.ID, Kind: kind, Name: name, URL: above.URL + urlName + "/"}
		return nil
	})
	return id, err
}

func (f *fake) MovePaper(ctx context.Context, id, destination int64) error {
	return f.do(ctx, remote.MovePaper, func() error {
		n, ok := f.m.nodes[id]
		above, there := f.m.nodes[destination]
		if !ok || !there {
			return refused(remote.MovePaper, remote.PaperDoesNotExist)
		}
		holder := f.holder(above.URL + lastSegment(n.URL) + "/")
		if id == f.m.root || above.Kind != remote.CategoryNode || f.m.below(destination, id) || holder != 0 && holder != id {
			return refused(remote.MovePaper, remote.Failure)
		}
		f.m.move(id, destination)
		return nil
	})
}

// RenamePaper is MovePaper with a name.
func (f *fake) RenamePaper(ctx context.Context, id int64, name string, destination int64) error {
	return f.do(ctx, remote.RenamePaper, func() error {
		n, ok := f.m.nodes[id]
		above, there := f.m.nodes[cmp.Or(destination, n.Parent)]
		if !ok || !there {
			return refused(remote.RenamePaper, remote.PaperDoesNotExist)
		}
		holder := f.holder(above.URL + lastSegment(n.URL) + "/")
		if id == f.m.root || above.Kind != remote.CategoryNode || f.m.below(above.ID, id) || holder != 0 && holder != id {
			return refused(remote.RenamePaper, remote.Failure)
		}
		f.m.move(id, above.ID)
		f.m.rename(id, name)
		return nil
	})
}

func (f *fake) Offers() (o remote.Offers, known bool) { return remote.Offers{Moves: true}, true }

func (f *fake) ChangePaperUrl(ctx context.Context, id int64, newURL string) error {
	return f.do(ctx, remote.ChangePaperUrl, func() error {
		n, ok := f.m.nodes[id]
		if !ok {
			return refused(remote.ChangePaperUrl, remote.PaperDoesNotExist)
		}
		holder := f.holder(f.m.nodes[n.Parent].URL + newURL + "/")
		if id == f.m.root || checkSegment(newURL) != nil || holder != 0 && holder != id {
			return refused(remote.ChangePaperUrl, remote.Failure)
		}
		f.m.changeURL(id, newURL)
		return nil
	})
}

func (f *fake) SetPublicationPeriod(ctx context.Context, id int64, p remote.Period) error {
	return f.period(ctx, remote.SetPublicationPeriod, id, p)
}

func (f *fake) ClearPublicationPeriod(ctx context.Context, id int64) error {
	return f.period(ctx, remote.ClearPublicationPeriod, id, remote.Period{})
}

func (f *fake) period(ctx context.Context, op *remote.Operation, id int64, p remote.Period) error {
	return f.do(ctx, op, func() error {
		n, ok := f.m.nodes[id]
		if !ok {
			return refused(op, remote.PaperDoesNotExist)
		}
		n.Period = p
		f.m.nodes[id] = n
		return nil
	})
}

// Turn does not wait.
func (f *fake) Turn(ctx context.Context, ops ...*remote.Operation) (context.Context, func(), error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turns = append(f.turns, len(ops))
	return ctx, func() {}, nil
}

func (f *fake) DeletePaper(ctx context.Context, id int64) error {
	return f.do(ctx, remote.DeletePaper, func() error {
		if _, ok := f.m.nodes[id]; !ok {
			return refused(remote.DeletePaper, remote.PaperDoesNotExist)
		}
		if len(f.m.children(id)) > 0 {
			return refused(remote.DeletePaper, remote.Failure)
		}
		f.m.remove(id)
		return nil
	})
}

// other changes the tree as another client would.
func (f *fake) other(alter func(m *model)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	alter(f.m)
}

type movedClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *movedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *movedClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type memory struct {
	mu     sync.Mutex
	values map[string]string
}

func (m *memory) Value(key string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	return v, ok, nil
}

func (m *memory) SetValue(key, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[key] = value
	return nil
}

// fixture is a catalogue on a fake service with a small tree:
//
//	1 /   2 /a/   3 /a/deep/   4 /a/deep/p/ (paper)   5 /b/   6 /b/q/ (paper)
type fixture struct {
	*Catalogue
	f     *fake
	clock *movedClock
	warns *warnings
}

func smallTree() *model {
	m := &model{root: 1, next: 7, nodes: map[int64]remote.Node{}}
	put := func(id, parent int64, kind remote.NodeKind, name, url string) {
		m.nodes[id] = remote.Node{ID: id, Parent: parent, Kind: kind, Name: name, URL: url}
	}
	put(1, 0, remote.CategoryNode, "Root", "/")
	put(2, 1, remote.CategoryNode, "A", "/a/")
	put(3, 2, remote.CategoryNode, "Deep", "/a/deep/")
	put(4, 3, remote.PaperNode, "P", "/a/deep/p/")
	put(5, 1, remote.CategoryNode, "B", "/b/")
	put(6, 5, remote.PaperNode, "Q", "/b/q/")
	return m
}

func open(t testing.TB, f *fake, alter ...func(*Options)) *fixture {
	x := &fixture{f: f, clock: &movedClock{now: epoch}, warns: &warnings{}}
	o := Options{Service: f, Now: x.clock.Now, Log: slog.New(x.warns)}
	for _, a := range alter {
		a(&o)
	}
	var err error
	x.Catalogue, err = New(o)
	require.NoError(t, err)
	t.Cleanup(x.Close)
	return x
}

// connected returns a fixture that has fetched its tree.
func connected(t testing.TB, f *fake, alter ...func(*Options)) *fixture {
	x := open(t, f, alter...)
	require.NoError(t, x.Connect(context.Background()))
	_, err := x.Snapshot(context.Background())
	require.NoError(t, err)
	return x
}

// settle waits until no fetch is in progress.
func (x *fixture) settle(t testing.TB) {
	t.Helper()
	require.Eventually(t, func() bool { return !x.Status().Refreshing }, testrun.Patience(), time.Millisecond)
}

// requireTrue compares the catalogue's tree with the service's.
func (x *fixture) requireTrue(t fataler) {
	t.Helper()
	x.f.mu.Lock()
	defer x.f.mu.Unlock()
	requireSame(t, x.f.m, x.Peek())
}

// costs returns the number of requests that do makes.
func (x *fixture) costs(do func()) int {
	before := x.f.requests()
	do()
	return x.f.requests() - before
}

type warnings struct {
	mu    sync.Mutex
	lines []string
}

func (w *warnings) Enabled(context.Context, slog.Level) bool { return true }
func (w *warnings) WithAttrs([]slog.Attr) slog.Handler       { return w }
func (w *warnings) WithGroup(string) slog.Handler            { return w }
func (w *warnings) Handle(_ context.Context, r slog.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	w.lines = append(w.lines, line)
	return nil
}

func (w *warnings) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.lines)
}

var errAway = &remote.Error{Op: "GetAllPapers", Kind: remote.Unreachable, Err: errors.New("connection refused")}

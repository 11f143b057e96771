package media

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"paperfs/cache/content/tree"
	"paperfs/remote"
)

// fakeService is the service's media store in memory. It counts calls, and can fail and delay
// them.
type fakeService struct {
	mu       sync.Mutex
	next     int64
	dirs     map[int64]remote.MediaDir
	files    map[int64]*fakeFile
	counts   map[string]int
	failures map[string][]error       // one for each of the next calls
	gates    map[string]chan struct{} // calls wait until the gate is closed
	entered  chan string              // a gated call has begun
	plain    bool                     // GetTree returns sizes in KB only
	moves    bool                     // it offers MoveFile and MoveDirectory
	room     *remote.Room             // what is left of the quota

	waits     func()       // called while a caller waits for its turn
	turns     []int        // number of calls of each turn
	usedUp    atomic.Bool  // the request budget is used up: a GetTree that does not wait for its turn fails
	unchanged atomic.Int64 // number of GetTree answers without a tree
	askedNow  atomic.Int64 // number of calls of AskNow

	hurried atomic.Int64 // number of uploads that go before those of the background

	after []string             // earlier uploads that take effect late: one after each of the next uploads
	late  bool                 // failing calls take effect anyway
	lost  error                // of every DeleteFile, which takes effect anyway
	away  error                // of every call, while it is set
	sees  func(remote.Content) // called with each uploaded content; may be nil
}

type fakeFile struct {
	parent int64
	name   string
	data   []byte
	given  int // how often it was downloaded
}

// mostGiven is how often a file may be downloaded. A store that does not take what it downloads, and
// does not say so either, would go on forever.
const mostGiven = 1_000

func newFakeService() *fakeService {
	return &fakeService{
		next: 100, dirs: make(map[int64]remote.MediaDir), files: make(map[int64]*fakeFile), counts: make(map[string]int),
		failures: make(map[string][]error), gates: make(map[string]chan struct{}), entered: make(chan string, 100),
	}
}

// begin counts a call, waits at its gate and returns the prepared failure.
func (f *fakeService) begin(op string) error { return f.beginIn(context.Background(), op) }

func (f *fakeService) beginIn(ctx context.Context, op string) error {
	unasked(op)
	f.mu.Lock()
	f.counts[op]++
	f.mu.Unlock()
	if !f.wait(ctx, op) {
		return &remote.Error{Op: op, Kind: remote.Cancelled, Err: ctx.Err(), Ambiguous: true}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.away != nil {
		return f.away
	}
	if list := f.failures[op]; len(list) > 0 {
		f.failures[op] = list[1:]
		return list[0]
	}
	return nil
}

// wait waits at a gate if it is closed; it returns false if ctx ends first.
func (f *fakeService) wait(ctx context.Context, at string) bool {
	f.mu.Lock()
	gate := f.gates[at]
	f.mu.Unlock()
	if gate == nil {
		return true
	}
	f.entered <- at
	select {
	case <-gate:
		return true
	case <-ctx.Done():
		return false
	}
}

func (f *fakeService) fail(op string, err ...error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[op] = append(f.failures[op], err...)
}

// goAway makes every call fail with err; nil ends that.
func (f *fakeService) goAway(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = err
}

// tell changes the behaviour of the fake; calls may be in progress.
func (f *fakeService) tell(change func(*fakeService)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// hold closes the gate of an operation; open lets its calls pass.
func (f *fakeService) hold(op string) (open func()) {
	gate := make(chan struct{})
	f.mu.Lock()
	f.gates[op] = gate
	f.mu.Unlock()
	return func() {
		f.mu.Lock()
		delete(f.gates, op)
		f.mu.Unlock()
		close(gate)
	}
}

func (f *fakeService) count(op string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[op]
}

func (f *fakeService) total() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, c := range f.counts {
		n += c
	}
	return n
}

func refused(op string) error {
	return &remote.Error{Op: op, Kind: remote.Refused, Code: remote.Failure, Message: "no"}
}

func (f *fakeService) UploadFile(ctx context.Context, parent int64, name string, content remote.Content) (remote.Upload, error) {
	f.mu.Lock()
	sees := f.sees
	f.mu.Unlock()
	if sees != nil {
		sees(content)
	}
	if !remote.IsBackground(ctx) {
		f.hurried.Add(1)
	}
	first, err := readAll(content)
	if err != nil {
		return remote.Upload{}, err
	}
	failure := f.beginIn(ctx, "UploadFile")
	if failure != nil && !f.isLate() {
		return remote.Upload{}, failure
	}
	data, err := readAll(content)
	if err != nil {
		return remote.Upload{}, err
	}
	if c, ok := content.(remote.Finisher); ok {
		if err := c.Finish(); err != nil {
			return remote.Upload{}, &remote.Error{Op: "UploadFile", Kind: remote.Local, Err: err}
		}
	}
	if !bytes.Equal(first, data) || int64(len(data)) != content.Size() {
		return remote.Upload{}, &remote.Error{Op: "UploadFile", Kind: remote.Local, Message: "content changed"}
	}
	f.wait(ctx, "its reply")
	f.mu.Lock()
	defer f.mu.Unlock()
	if parent != 0 && f.dirs[parent].ID == 0 {
		return remote.Upload{}, refused("UploadFile")
	}
	id := f.put(parent, name, data)
	if failure != nil {
		return remote.Upload{}, failure
	}
	if len(f.after) > 0 {
		f.files[id].data, f.after = []byte(f.after[0]), f.after[1:]
	}
	return remote.Upload{FileID: id, Size: int64(len(data)), SHA256: sum(data)}, nil
}

func (f *fakeService) isLate() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.late
}

func readAll(c remote.Content) ([]byte, error) {
	r, err := c.Open()
	if err != nil {
		return nil, &remote.Error{Op: "UploadFile", Kind: remote.Local, Err: err}
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, &remote.Error{Op: "UploadFile", Kind: remote.Local, Err: err}
	}
	return data, nil
}

// put stores a file as the service does. The caller must hold f.mu.
func (f *fakeService) put(parent int64, name string, data []byte) int64 {
	for id, file := range f.files {
		if file.parent == parent && tree.Fold(file.name) == tree.Fold(name) {
			file.data = data
			return id
		}
	}
	f.next++
	f.files[f.next] = &fakeFile{parent: parent, name: name, data: data}
	return f.next
}

func (f *fakeService) Answers(context.Context) error { return f.begin("Answers") }

func (f *fakeService) CreateDirectory(_ context.Context, parent int64, name string) (int64, error) {
	if err := f.begin("CreateDirectory"); err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range f.dirs {
		if d.Parent == parent && tree.Fold(d.Name) == tree.Fold(name) {
			return 0, refused("CreateDirectory")
		}
	}
	f.next++
	f.dirs[f.next] = remote.MediaDir{ID: f.next, Parent: parent, Name: name}
	return f.next, nil
}

// GetTreeIfChanged uses a hash of the tree as its validator, so undoing a change restores the
// validator.
func (f *fakeService) GetTreeIfChanged(ctx context.Context, known remote.Validator) (remote.MediaTree, remote.Validator, error) {
	if f.usedUp.Load() && !remote.IsPatient(ctx) {
		return remote.MediaTree{}, "", &remote.Error{Op: "GetTree", Kind: remote.OverBudget}
	}
	f.mu.Lock()
	tree := f.tree()
	f.mu.Unlock()
	if err := f.beginIn(ctx, "GetTree"); err != nil { // an answer that is old when it arrives
		return remote.MediaTree{}, "", err
	}
	lines := make([]string, 0, len(tree.Dirs)+len(tree.Files))
	for _, d := range tree.Dirs {
		lines = append(lines, fmt.Sprintf("%+v", d))
	}
	for _, file := range tree.Files {
		lines = append(lines, fmt.Sprintf("%+v", file))
	}
	slices.Sort(lines)
	now := remote.Validator(sum([]byte(fmt.Sprintf("%q", lines))))
	if now == known {
		f.unchanged.Add(1)
		return remote.MediaTree{}, "", remote.ErrUnchanged
	}
	return tree, now, nil
}

// tree returns the answer, parents before children. The caller must hold f.mu.
func (f *fakeService) tree() remote.MediaTree {
	var t remote.MediaTree
	var walk func(parent int64)
	walk = func(parent int64) {
		for id, file := range f.files {
			if file.parent != parent {
				continue
			}
			m := remote.MediaFile{ID: id, Parent: parent, Name: file.name, SizeKB: int64(len(file.data)+1023) / 1024, Bytes: -1}
			if !f.plain {
				m.Bytes, m.SHA256, m.URL = int64(len(file.data)), sum(file.data), fmt.Sprintf("http://media/%d/%s", id, url.PathEscape(file.name)) // as at a service that can rename
			}
			t.Files = append(t.Files, m)
		}
		for id, d := range f.dirs {
			if d.Parent == parent {
				t.Dirs = append(t.Dirs, d)
				walk(id)
			}
		}
	}
	walk(0)
	return t
}

// AskNow is counted: the fake knows by itself when it is away.
func (f *fakeService) AskNow() { f.askedNow.Add(1) }

// Turn does not wait, but calls the waits function of a test.
func (f *fakeService) Turn(ctx context.Context, ops ...*remote.Operation) (context.Context, func(), error) {
	f.mu.Lock()
	f.turns = append(f.turns, len(ops))
	waits := f.waits
	f.waits = nil
	f.mu.Unlock()
	if waits != nil {
		waits()
	}
	if err := ctx.Err(); err != nil {
		return ctx, func() {}, &remote.Error{Op: ops[0].Name, Kind: remote.Cancelled, Err: err}
	}
	return ctx, func() {}, nil
}

func (f *fakeService) Offers() (remote.Offers, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return remote.Offers{Moves: f.moves, Room: f.room}, true
}

func (f *fakeService) MoveFile(_ context.Context, id, parent int64, name string, over remote.Version) (int64, error) {
	if err := f.begin("MoveFile"); err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	file := f.files[id]
	if file == nil || parent != 0 && f.dirs[parent].ID == 0 {
		return 0, refused("MoveFile")
	}
	for other, there := range f.files {
		switch {
		case there == file || there.parent != parent || tree.Fold(there.name) != tree.Fold(name):
		case over == remote.NoFile:
			return 0, refused("MoveFile")
		default:
			delete(f.files, id)
			there.data = file.data
			return other, nil
		}
	}
	file.parent, file.name = parent, name
	f.mu.Unlock()
	f.wait(context.Background(), "the move's reply")
	f.mu.Lock()
	return id, nil
}

func (f *fakeService) MoveDirectory(_ context.Context, id, parent int64, name string, replace bool) error {
	if err := f.begin("MoveDirectory"); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for other, d := range f.dirs {
		if other == id || d.Parent != parent || tree.Fold(d.Name) != tree.Fold(name) {
			continue
		}
		if empty := !slices.ContainsFunc(slices.Collect(maps.Values(f.files)), func(file *fakeFile) bool { return file.parent == other }); !replace || !empty {
			return refused("MoveDirectory")
		}
		delete(f.dirs, other)
	}
	if f.dirs[id].ID == 0 || parent != 0 && f.dirs[parent].ID == 0 {
		return refused("MoveDirectory")
	}
	f.dirs[id] = remote.MediaDir{ID: id, Parent: parent, Name: name}
	return nil
}

func (f *fakeService) DeleteFile(_ context.Context, id int64) error {
	if err := f.begin("DeleteFile"); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.files[id] == nil {
		return refused("DeleteFile")
	}
	delete(f.files, id)
	f.mu.Unlock()
	f.wait(context.Background(), "the deletion's reply")
	f.mu.Lock()
	return f.lost
}

func (f *fakeService) DeleteDirectory(_ context.Context, id int64) error {
	if err := f.begin("DeleteDirectory"); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dirs[id].ID == 0 {
		return refused("DeleteDirectory")
	}
	delete(f.dirs, id)
	return nil
}

func (f *fakeService) Download(_ context.Context, address string, part remote.Part) (*remote.Received, error) {
	if err := f.begin("Download"); err != nil {
		return nil, err
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(address, "http://media/"), "/")
	id, _ := strconv.ParseInt(number, 10, 64)
	f.mu.Lock()
	defer f.mu.Unlock()
	file := f.files[id]
	if file == nil {
		return nil, &remote.Error{Op: "GET", Kind: remote.Status, Status: 404}
	}
	if file.given++; file.given > mostGiven {
		return nil, fmt.Errorf("%s was downloaded %d times, and never taken", file.name, mostGiven)
	}
	return &remote.Received{ReadCloser: io.NopCloser(bytes.NewReader(file.data[part.From:])), Size: int64(len(file.data))}, nil
}

// at returns the content of a path; false if there is none.
func (f *fakeService) at(path string) ([]byte, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, file := range f.files {
		if f.pathOf(file.parent)+file.name == path {
			return file.data, true
		}
	}
	return nil, false
}

// all returns the content of every path.
func (f *fakeService) all() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make(map[string]string)
	for _, file := range f.files {
		all[f.pathOf(file.parent)+file.name] = string(file.data)
	}
	return all
}

func (f *fakeService) pathOf(dir int64) string {
	if dir == 0 {
		return ""
	}
	d := f.dirs[dir]
	return f.pathOf(d.Parent) + d.Name + "/"
}

// set adds a file at the service without the mount.
func (f *fakeService) set(parent int64, name, data string) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.put(parent, name, []byte(data))
}

// remove deletes a file at the service without the mount.
func (f *fakeService) remove(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, file := range f.files {
		if f.pathOf(file.parent)+file.name == path {
			delete(f.files, id)
		}
	}
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

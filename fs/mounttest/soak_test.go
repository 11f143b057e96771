package mounttest

import (
	"context"
	"fmt"
	"hash/maphash"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// The soak: clients change the tree, one of them through the mount, while others walk it. Each
// listing must be one that the directory had at some time, and no walker may see an older one than
// before. It takes seconds; PAPERFS_SOAK=10m makes it longer.

// history has the events of every category, in the order of the changes.
type history struct {
	mu       sync.Mutex
	parent   map[int64]int64             // guarded by mu
	name     map[int64]string            // as shown; guarded by mu
	children map[int64]map[string]uint64 // a hash of each current name; guarded by mu
	past     map[int64][]event           // guarded by mu
}

// event is the addition or removal of a name. The sum of its names' hashes identifies a listing.
type event struct {
	hash uint64 // of the name; negative for a removal
	own  bool   // by the mount, which shows its own changes at once, on a tree that may lack later ones of others
}

func newHistory() *history {
	return &history{parent: map[int64]int64{}, name: map[int64]string{}, children: map[int64]map[string]uint64{}, past: map[int64][]event{}}
}

var soakSeed = maphash.MakeSeed()

func hashOf(name string) uint64 { return maphash.String(soakSeed, name) }

// Callers of the methods below hold mu.

func (h *history) add(id, parent int64, name string, own bool) {
	h.name[id] = name
	h.enter(id, parent, own)
}

func (h *history) enter(id, dir int64, own bool) {
	hash := hashOf(h.name[id])
	h.parent[id] = dir
	if h.children[dir] == nil {
		h.children[dir] = map[string]uint64{}
	}
	h.children[dir][h.name[id]] = hash
	h.past[dir] = append(h.past[dir], event{hash, own})
}

func (h *history) leave(id int64, own bool) {
	dir := h.parent[id]
	delete(h.children[dir], h.name[id])
	delete(h.parent, id)
	h.past[dir] = append(h.past[dir], event{-hashOf(h.name[id]), own})
}

func (h *history) move(id, parent int64, own bool) {
	h.leave(id, own)
	h.enter(id, parent, own)
}

// held reports whether a category could have shown names with this sum: with others' events up to a
// place at or after from, and the mount's own up to there or later. It returns that place.
func (h *history) held(id int64, sum uint64, from int) (at int, ok bool) {
	past, base := h.past[id], uint64(0)
	for at = range len(past) + 1 {
		if at > 0 {
			base += past[at-1].hash
		}
		if at < from {
			continue
		}
		seen := base
		if seen == sum {
			return at, true
		}
		for _, e := range past[at:] {
			if e.own {
				if seen += e.hash; seen == sum {
					return at, true
				}
			}
		}
	}
	return 0, false
}

// some picks a category or a paper, never the root.
func (h *history) some(random *rand.Rand, paper bool) int64 {
	var ids []int64
	for id := range h.parent {
		if h.parent[id] != 0 && strings.HasSuffix(h.name[id], ".paper") == paper {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids[random.IntN(len(ids))]
}

// change makes one change as another client.
func (h *history) change(ctx context.Context, c *remote.Client, random *rand.Rand, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	to := h.some(random, false)
	switch random.IntN(4) {
	case 0:
		if id, err := c.CreateCategory(ctx, remote.Node{ID: to}, name, name); err == nil {
			h.add(id, to, name, false)
		}
	case 1:
		if id, err := c.CreatePaper(ctx, remote.Node{ID: to}, name, name); err == nil {
			h.add(id, to, name+".paper", false)
		}
	case 2:
		id := h.some(random, random.IntN(3) > 0)
		if h.parent[id] != to && c.MovePaper(ctx, id, to) == nil {
			h.move(id, to, false)
		}
	case 3:
		id := h.some(random, true)
		if c.DeletePaper(ctx, id) == nil {
			h.leave(id, false)
		}
	}
}

// idOf returns the id of a category or paper from its inode number.
func idOf(ino uint64) int64 { return int64(ino & (1<<60 - 1)) }

// changeHere makes one change through the mount, in directories that it has open, so that the test
// knows which they are.
func (h *history) changeHere(root string, random *rand.Rand, name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	dirs := openSome(root, random)
	defer func() {
		for _, d := range dirs {
			d.Close()
		}
	}()
	if len(dirs) < 2 {
		return nil
	}
	from, to := dirs[random.IntN(len(dirs))], dirs[random.IntN(len(dirs))]
	fromID, toID := inodeOf(from), inodeOf(to)
	if random.IntN(2) == 0 {
		if unix.Mkdirat(int(to.Fd()), name, 0o755) != nil {
			return nil
		}
		var st unix.Stat_t
		if err := unix.Fstatat(int(to.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return fmt.Errorf("%s was made and is not there: %w", name, err)
		}
		h.add(idOf(st.Ino), toID, name, true)
		return nil
	}
	names, err := from.Readdirnames(-1)
	if err != nil || len(names) == 0 || fromID == toID {
		return nil
	}
	moved := names[random.IntN(len(names))]
	var st unix.Stat_t
	if unix.Fstatat(int(from.Fd()), moved, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return nil
	}
	id := idOf(st.Ino)
	if unix.Renameat(int(from.Fd()), moved, int(to.Fd()), moved) == nil && h.parent[id] != toID {
		h.move(id, toID, true)
	}
	return nil
}

func inodeOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return idOf(info.Sys().(*syscall.Stat_t).Ino)
}

// openSome opens the root and some categories on a path down.
func openSome(root string, random *rand.Rand) (dirs []*os.File) {
	for path := root; len(dirs) < 4; {
		f, err := os.Open(path)
		if err != nil {
			return dirs
		}
		dirs = append(dirs, f)
		entries, _ := os.ReadDir(path)
		entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".paper") })
		if len(entries) == 0 {
			return dirs
		}
		path = filepath.Join(path, entries[random.IntN(len(entries))].Name())
	}
	return dirs
}

// walker remembers its position in each category's past.
type walker struct {
	history *history
	at      map[int64]int
	walks   int
}

func (w *walker) walk(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // moved or deleted since
	}
	id := inodeOf(f)
	names, err := f.Readdirnames(-1)
	f.Close()
	if err != nil {
		return fmt.Errorf("list %s: %w", path, err)
	}
	if err := w.saw(path, id, names); err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".paper") {
			continue
		}
		if err := w.walk(filepath.Join(path, name)); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) saw(path string, id int64, names []string) error {
	h := w.history
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, there := h.parent[id]; !there && len(names) == 0 {
		return nil // deleted: a process in it sees nothing
	}
	sum := uint64(0)
	for _, name := range names {
		sum += hashOf(name)
	}
	at, ok := h.held(id, sum, w.at[id])
	if ok {
		w.at[id] = at
		return nil
	}
	var lacks []string
	for name := range h.children[id] {
		if !slices.Contains(names, name) {
			lacks = append(lacks, name)
		}
	}
	tooMuch := slices.DeleteFunc(names, func(name string) bool { return h.children[id][name] != 0 })
	return fmt.Errorf("%s (category %d) never held that after %d of its %d events; against what it holds now it has too much: %v, and lacks: %v",
		path, id, w.at[id], len(h.past[id]), tooMuch, lacks)
}

func TestSoak(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "changes a tree of a thousand papers while others walk it")
	length := 4 * time.Second
	if text := os.Getenv("PAPERFS_SOAK"); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err)
	}
	f := servicetest.Start(t, func(o *service.Options) {
		o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	h := newHistory()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	plantHistory(t, h, f)
	m := newMountOf(t, f, "--tree-ttl", "100ms")
	papers := filepath.Join(m.dir, "papers")

	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	failures := make(chan error, 16)
	var work sync.WaitGroup
	// The pace leaves most of the time to the walkers, which share a lock with the changes.
	run := func(pace time.Duration, step func() error) {
		work.Go(func() {
			for ctx.Err() == nil {
				if err := step(); err != nil {
					failures <- err
					cancel()
					return
				}
				select {
				case <-ctx.Done():
				case <-time.After(pace):
				}
			}
		})
	}
	for c := range uint64(2) {
		client, random, n := m.client(), rand.New(rand.NewPCG(seed, c)), 0
		run(20*time.Millisecond, func() error {
			n++
			h.change(t.Context(), client, random, fmt.Sprintf("c%d-%d", c, n))
			return nil
		})
	}
	random, n := rand.New(rand.NewPCG(seed, 99)), 0
	run(20*time.Millisecond, func() error {
		n++
		return h.changeHere(papers, random, fmt.Sprintf("here-%d", n))
	})
	run(20*time.Millisecond, func() error { return os.WriteFile(filepath.Join(m.dir, ".paperfs/refresh"), []byte("\n"), 0o200) })
	walkers := make([]*walker, 5)
	for i := range walkers {
		w := &walker{history: h, at: map[int64]int{}}
		walkers[i] = w
		run(0, func() error {
			w.walks++
			return w.walk(papers)
		})
	}
	work.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	if t.Failed() {
		return
	}
	// In the end, all see the same.
	m.sh(`echo > .paperfs/refresh`)
	for i, w := range walkers {
		t.Logf("walker %d: %d walks", i, w.walks)
		h.mu.Lock()
		for id, past := range h.past {
			w.at[id] = len(past)
		}
		h.mu.Unlock()
		require.NoError(t, w.walk(papers))
	}
}

// plantHistory creates a tree with one large directory.
func plantHistory(t *testing.T, h *history, f *servicetest.Fixture) {
	c, err := remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password})
	require.NoError(t, err)
	defer c.Close()
	root, _, err := c.GetPaperIDFromUrl(t.Context(), "/")
	require.NoError(t, err)
	h.parent[root] = 0
	big := int64(0)
	for i := range 12 {
		name := fmt.Sprintf("dir%d", i)
		id, err := c.CreateCategory(t.Context(), remote.Node{ID: root, URL: "/"}, name, name)
		require.NoError(t, err)
		h.add(id, root, name, false)
		big = id
	}
	for i := range 1000 {
		name := fmt.Sprintf("a-paper-with-a-name-of-some-length-%d", i)
		id, err := c.CreatePaper(t.Context(), remote.Node{ID: big}, name, name)
		require.NoError(t, err)
		h.add(id, big, name+".paper", false)
	}
}

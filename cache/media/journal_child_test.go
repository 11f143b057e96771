package media

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/spool"
	"paperfs/cache/state"
	"paperfs/remote"
)

// Environment variables that turn TestJournalChild into the process to be killed.
const (
	childURL      = "MEDIA_TEST_URL"
	childUsername = "MEDIA_TEST_USERNAME"
	childPassword = "MEDIA_TEST_PASSWORD"
	childDir      = "MEDIA_TEST_DIR"
	childQueues   = "MEDIA_TEST_WRITE_BACK"
)

// player runs the script in a process that will be killed.
type player struct {
	t       *testing.T
	store   *Store
	service *moody
	top     string // directory of media/ that the script has for itself
}

// Environment variables that turn TestJournalChild into the process to be killed.
const (
	journalTop    = "MEDIA_TEST_JOURNAL_TOP"
	journalKillAt = "MEDIA_TEST_JOURNAL_KILL_AT" // NUMBER of the pass, and the step's NAME, "" for any
	journalLeast  = "MEDIA_TEST_JOURNAL_LEAST"   // size limit of the service, in bytes
	journalPlays  = "MEDIA_TEST_JOURNAL_PLAYS"   // name of one of plays; "" only completes what the last process left
)

// TestJournalChild reports the start and end of its acts, and the steps that it passes.
func TestJournalChild(t *testing.T) {
	if os.Getenv(journalTop) == "" {
		t.Skip("the process that TestKilledAtEachStep kills")
	}
	number, name, _ := strings.Cut(os.Getenv(journalKillAt), " ")
	stopAt(name, number)
	spool.CopyPiece = 4 // so that there are incomplete uploads
	client, err := remote.New(remote.Options{BaseURL: os.Getenv(childURL), Username: os.Getenv(childUsername), Password: os.Getenv(childPassword)})
	require.NoError(t, err)
	t.Cleanup(client.Close) // its idle connections would hold up the end of the process
	stateDir, cacheDir, _ := strings.Cut(os.Getenv(childDir), "\n")
	st, err := state.Open(state.Dirs{State: stateDir, Cache: cacheDir}, "/mnt")
	require.NoError(t, err)
	p := &player{t: t, service: &moody{Service: client}, top: os.Getenv(journalTop)}
	p.service.least, _ = strconv.ParseInt(os.Getenv(journalLeast), 10, 64)
	writeBack := os.Getenv(childQueues) != ""
	p.store, err = Open(Options{Service: p.service, State: st, Reserve: -1, Linger: -1, Debounce: -1, WriteBack: writeBack, AllowDelete: true})
	require.NoError(t, err)
	fmt.Println("open")
	if name := os.Getenv(journalPlays); name != "" {
		require.Contains(t, plays, name)
		for i, a := range plays[name](writeBack) {
			fmt.Println("begin", i)
			a.do(p)
			fmt.Println("done", i)
		}
	}
	p.drain()
	require.NoError(t, p.store.Close())
	require.NoError(t, st.Close())
	fmt.Println("end")
}

// stopAt kills the process at pass number of a step, or of any step if name is empty; 0 means
// never.
func stopAt(name, number string) {
	var mu sync.Mutex
	left, _ := strconv.Atoi(number)
	disk.CrashPoint = func(at string) {
		fmt.Println("step", at)
		mu.Lock()
		defer mu.Unlock()
		if name != "" && name != at {
			return
		}
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

func (p *player) ino(at string) Ino {
	a, err := p.store.Find(ctx, path.Join(p.top, at))
	require.NoError(p.t, err, at)
	return a.Ino
}

func (p *player) mkdir(at string) {
	_, err := p.store.Mkdir(ctx, p.ino(parent(at)), base(at), New{Mode: 0o755, UID: Owner, GID: Owner})
	require.NoError(p.t, err)
}

func (p *player) rename(from, to string) {
	require.NoError(p.t, p.store.Rename(ctx, p.ino(parent(from)), base(from), p.ino(parent(to)), base(to), false, ""))
}

// open opens a file for writing and truncates it, as a shell's redirection does.
func (p *player) open(at string) *Handle {
	if a, err := p.store.Find(ctx, path.Join(p.top, at)); err == nil {
		h, err := p.store.Open(a.Ino, true)
		require.NoError(p.t, err)
		require.NoError(p.t, h.Truncate(0))
		return h
	}
	_, h, err := p.store.Create(p.ino(parent(at)), base(at), New{Mode: 0o644, UID: Owner, GID: Owner})
	require.NoError(p.t, err)
	return h
}

func (p *player) writeHalves(h *Handle, content string) {
	half := len(content) / 2
	_, err := h.WriteAt([]byte(content[:half]), 0)
	require.NoError(p.t, err)
	disk.CrashPoint("half written")
	_, err = h.WriteAt([]byte(content[half:]), int64(half))
	require.NoError(p.t, err)
}

func (p *player) write(at, content string) {
	h := p.open(at)
	p.writeHalves(h, content)
	if err := h.Flush(ctx); !refusesName(base(at)) {
		require.NoError(p.t, err)
	}
	disk.CrashPoint("closed")
	h.Release()
}

// moody is a service that is sometimes unreachable, refuses some names, and has steps of its
// own before and after each change.
type moody struct {
	Service
	away    atomic.Bool
	moves   atomic.Bool // it offers moves
	judges  atomic.Bool // it compares versions
	between func()      // what happens after an upload, before its answer; nil: nothing
	least   int64       // size limit in bytes; if it is lower, the service is unreachable
}

func refusesName(name string) bool { return strings.HasPrefix(name, "bad") }

func (m *moody) absent() error {
	if m.away.Load() {
		return unreachable
	}
	return nil
}

func (m *moody) UploadFile(ctx context.Context, parent int64, name string, c remote.Content) (remote.Upload, error) {
	if err := m.absent(); err != nil {
		return remote.Upload{}, err
	}
	if c.Size() < m.least {
		return remote.Upload{}, unreachable
	}
	if refusesName(name) {
		return remote.Upload{}, errNo
	}
	disk.CrashPoint("upload")
	defer disk.CrashPoint("uploaded")
	up, err := m.Service.UploadFile(ctx, parent, name, stepping{c})
	if m.between != nil {
		m.between()
	}
	return up, err
}

func (m *moody) CreateDirectory(ctx context.Context, parent int64, name string) (int64, error) {
	if err := m.absent(); err != nil {
		return 0, err
	}
	disk.CrashPoint("directory to be made")
	defer disk.CrashPoint("directory made")
	return m.Service.CreateDirectory(ctx, parent, name)
}

func (m *moody) Offers() (remote.Offers, bool) {
	return remote.Offers{Moves: m.moves.Load(), Versions: m.judges.Load()}, true
}

func (m *moody) MoveFile(ctx context.Context, id, parent int64, name string, over remote.Version) (int64, error) {
	disk.CrashPoint("to be moved")
	defer disk.CrashPoint("moved")
	return m.Service.MoveFile(ctx, id, parent, name, over)
}

func (m *moody) MoveDirectory(ctx context.Context, id, parent int64, name string, replace bool) error {
	disk.CrashPoint("to be moved")
	defer disk.CrashPoint("moved")
	return m.Service.MoveDirectory(ctx, id, parent, name, replace)
}

func (m *moody) DeleteFile(ctx context.Context, id int64) error {
	disk.CrashPoint("file to be deleted")
	defer disk.CrashPoint("file deleted")
	return m.Service.DeleteFile(ctx, id)
}

func (m *moody) DeleteDirectory(ctx context.Context, id int64) error {
	disk.CrashPoint("directory to be deleted")
	defer disk.CrashPoint("directory deleted")
	return m.Service.DeleteDirectory(ctx, id)
}

// stepping passes a step at each read of content for sending.
type stepping struct{ remote.Content }

func (s stepping) Open() (io.ReadCloser, error) {
	r, err := s.Content.Open()
	return steppingReader{r}, err
}

// Finish passes a step, and then calls Finish of the content.
func (s stepping) Finish() error {
	disk.CrashPoint("about to be sent")
	return s.Content.(remote.Finisher).Finish()
}

type steppingReader struct{ io.ReadCloser }

func (r steppingReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	disk.CrashPoint("content read")
	return n, err
}

package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"golang.org/x/sys/unix"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/fs/virtual"
	"paperfs/remote/testrun"
)

// fakeMedia holds failed content in a directory.
type fakeMedia struct {
	mu     sync.Mutex
	dir    string
	failed []media.FailedEntry // guarded by mu
}

func (m *fakeMedia) Failed() []media.FailedEntry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]media.FailedEntry(nil), m.failed...)
}

func (m *fakeMedia) OpenFailed(name string) (*os.File, error) {
	return os.Open(filepath.Join(m.dir, name))
}

func (m *fakeMedia) DiscardFailed(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed = nil
	return os.Remove(filepath.Join(m.dir, name))
}

func (m *fakeMedia) SpoolDir() string { return "/spool" }

func (m *fakeMedia) LocalNames() []media.LocalName {
	return []media.LocalName{
		{Path: ".git", Kind: media.Directory, Files: 3, Size: 70, Since: time.Unix(0, 0)},
		{Path: "a.part", Kind: media.File, Files: 1, Size: 7},
		{Path: "/papers/A/x.part", Kind: media.File, Files: 1, Size: 5},
	}
}

func (m *fakeMedia) Uploads() []media.Upload {
	return []media.Upload{
		{Place: "media/logos/a b.svg", Sent: 10, Total: 20, Since: time.Unix(0, 0)},
		{Place: "media/c.svg", Total: 7, Waiting: true},
	}
}

func (m *fakeMedia) Queue() []media.Queued { return []media.Queued{{Place: "media/c.svg", Size: 7}} }

func (m *fakeMedia) RetryNow() {}

func (m *fakeMedia) DiscardQueued(string) error { return errors.New("nothing is queued") }

// fixture is a mount that has .paperfs and an ordinary directory. Only other programs use it, never
// the test itself.
type fixture struct {
	t         *testing.T
	dir       string
	media     *fakeMedia
	failures  *failure.Log
	mu        sync.Mutex
	refreshed []string // guarded by mu
	status    Status   // guarded by mu
	retried   string   // guarded by mu
}

// retrying is a directory that accepts or refuses failed content.
type retrying struct {
	virtual.Dir
	f *fixture
}

func (r *retrying) List(context.Context) ([]virtual.Entry, error)      { return nil, nil }
func (r *retrying) Find(context.Context, string) (virtual.Node, error) { return nil, nil }
func (r *retrying) RetryFailed(_ context.Context, entry, name string, noReplace bool) error {
	if name == "refused" {
		return errno.Refuse(syscall.EFBIG, "too large still")
	}
	r.f.mu.Lock()
	r.f.retried = fmt.Sprint(entry, " ", name, " ", noReplace)
	r.f.mu.Unlock()
	return r.f.media.DiscardFailed(entry)
}

type rootNode struct {
	gofs.Inode
	children map[string]gofs.InodeEmbedder
}

func (r *rootNode) OnAdd(ctx context.Context) {
	for name, child := range r.children {
		r.AddChild(name, r.NewPersistentInode(ctx, child, gofs.StableAttr{Mode: syscall.S_IFDIR}), false)
	}
}

func newFixture(t *testing.T) *fixture {
	if _, err := os.Stat("/dev/fuse"); err != nil {
		t.Skip("no /dev/fuse")
	}
	f := &fixture{t: t, dir: t.TempDir(), media: &fakeMedia{dir: t.TempDir()}}
	f.failures = failure.New(slog.New(slog.DiscardHandler), nil)
	since := time.Unix(1_700_000_000, 0)
	f.status = Status{Version: "1.2.3", Mountpoint: f.dir, Since: since, Tree: Tree{Nodes: 12},
		Requests: Requests{ByOperation: map[string]uint64{"GetAllPapers": 3}}}
	env := &virtual.Env{Owner: inode.Owner{UID: uint32(os.Getuid()), GID: uint32(os.Getgid())},
		Tell: &errno.Teller{Log: f.failures}, Numbers: inode.NewVirtual()}
	outside := testrun.Must(gofs.NewLoopbackRoot(t.TempDir()))(t)
	takes := &retrying{Dir: virtual.Dir{Env: env, About: virtual.About{Time: func() time.Time { return since }}}, f: f}
	takes.Source = takes
	root := &rootNode{children: map[string]gofs.InodeEmbedder{
		"media": takes,
		"other": outside,
		".paperfs": NewRoot(Options{
			Env: env, Since: func() time.Time { return since }, Mountpoint: f.dir, Failures: f.failures, Media: f.media,
			Status: func() Status {
				f.mu.Lock()
				defer f.mu.Unlock()
				return f.status
			},
			Stat: func(_ context.Context, path string) (any, error) {
				if path == "none" {
					return nil, errno.Refuse(syscall.ENOENT, "nothing there")
				}
				return map[string]string{"path": path}, nil
			},
			Refresh: func(_ context.Context, path string) error {
				if path == "bad" {
					return errors.New("refused")
				}
				f.mu.Lock()
				defer f.mu.Unlock()
				f.refreshed = append(f.refreshed, path)
				return nil
			},
		}),
	}}
	server := testrun.Must(gofs.Mount(f.dir, root, &gofs.Options{MountOptions: fuse.MountOptions{FsName: "control-test", DirectMountStrict: programtest.Mounting(t)}}))(t)
	t.Cleanup(func() {
		if err := server.Unmount(); err != nil {
			_ = mountpoint.Detach(f.dir)
		}
	})
	return f
}

// sh runs a script in the mount and returns its output.
func (f *fixture) sh(script string) (output string, err error) {
	out, err := programtest.Command(f.t, testrun.Patience(), "sh", "-c", `cd "$1" && `+script, "sh", f.dir).CombinedOutput()
	programtest.RequirePrograms(f.t, err, string(out))
	return string(out), err
}

func (f *fixture) must(script string) string {
	f.t.Helper()
	out, err := f.sh(script)
	require.NoError(f.t, err, out)
	return out
}

func TestListing(t *testing.T) {
	f := newFixture(t)
	require.Equal(t, "discard\nerrors\nevents\nfailed\nlocal\nmetrics\nrefresh\nretry\nsign-in\nstat\nstatus\nundo\nuploads\n", f.must("ls .paperfs"))
	require.Equal(t, "700\n", f.must("stat -c %a .paperfs"))
	_, err := f.sh("touch .paperfs/new")
	require.Error(t, err)
	_, err = f.sh("rm .paperfs/status")
	require.Error(t, err)
}

func TestStatusAndMetrics(t *testing.T) {
	f := newFixture(t)
	var s Status
	require.NoError(t, json.Unmarshal([]byte(f.must("cat .paperfs/status")), &s))
	require.Equal(t, 12, s.Tree.Nodes)
	metrics := f.must("cat .paperfs/metrics")
	require.Contains(t, metrics, `paperfs_requests_total{operation="GetAllPapers"} 3`)
	require.Contains(t, metrics, "# TYPE paperfs_tree_nodes gauge\npaperfs_tree_nodes 12\n")
	f.mu.Lock()
	f.status.Tree.Nodes = 123456
	f.mu.Unlock()
	require.Contains(t, f.must("cat .paperfs/status"), "123456", "the status is computed at each open")
	require.Equal(t, f.must("cat .paperfs/status | wc -c"), f.must("cp .paperfs/status /tmp/$$ && wc -c < /tmp/$$; rm /tmp/$$"))
}

// TestReadersOfWhatChanges checks that programs that read a file at the same time read what it held at their
// own open, whole, although it becomes longer and shorter.
func TestReadersOfWhatChanges(t *testing.T) {
	f := newFixture(t)
	ended := make(chan error, 4)
	for range cap(ended) {
		go func() {
			_, err := f.sh(`for i in $(seq 60); do cat .paperfs/status; done > "$(mktemp -p "` + f.media.dir + `")"`)
			ended <- err
		}()
	}
	for n := 0; n < cap(ended); {
		f.mu.Lock()
		f.status.Tree.Nodes = 1_000_001 - f.status.Tree.Nodes
		f.mu.Unlock()
		select {
		case err := <-ended:
			require.NoError(t, err)
			n++
		default:
		}
	}
	outputs := testrun.Must(filepath.Glob(filepath.Join(f.media.dir, "*")))(t)
	require.Len(t, outputs, cap(ended))
	for _, name := range outputs {
		text := testrun.Must(os.ReadFile(name))(t)
		all := json.NewDecoder(bytes.NewReader(text))
		for range 60 {
			var s Status
			require.NoError(t, all.Decode(&s), "near %q", text[max(0, int(all.InputOffset())-200):min(len(text), int(all.InputOffset())+20)])
		}
	}
}

func TestErrorsAndUploads(t *testing.T) {
	f := newFixture(t)
	require.Empty(t, f.must("cat .paperfs/errors"))
	f.failures.Report(failure.Event{Op: "mkdir", Path: "papers/X", Errno: "EEXIST", Message: "taken"})
	require.Equal(t, "papers/X", testrun.Must(failure.Parse(strings.TrimSuffix(f.must("cat .paperfs/errors"), "\n")))(t).Path)
	f.fail("film.mp4", "content")
	require.Equal(t, `sending "media/logos/a b.svg" 10 of 20 bytes since 1970-01-01T00:00:00Z
waiting "media/c.svg" 7 bytes
failed ".paperfs/failed/film.mp4" 7 bytes of "media/film.mp4" since 1970-01-01T00:00:00Z: too large
`, f.must("cat .paperfs/uploads"))
}

func TestLocal(t *testing.T) {
	f := newFixture(t)
	var names []Local
	require.NoError(t, json.Unmarshal([]byte(f.must("cat .paperfs/local")), &names))
	require.Equal(t, []string{".git/", "media/.git/", "a.part", "media/a.part", "papers/A/x.part", "papers/A/x.part"},
		[]string{names[0].Path, names[0].Place, names[1].Path, names[1].Place, names[2].Path, names[2].Place})
	require.Equal(t, int64(70), names[0].Size)
	require.Equal(t, 3, names[0].Files)
}

func TestRefreshTakesAPathInAnyForm(t *testing.T) {
	f := newFixture(t)
	f.must("echo papers/A > .paperfs/refresh; echo /papers/A/ > .paperfs/refresh; echo \"$1/papers/A\" > .paperfs/refresh; echo > .paperfs/refresh; echo \"$1\" > .paperfs/refresh")
	f.mu.Lock()
	require.Equal(t, []string{"papers/A", "papers/A", "papers/A", "", ""}, f.refreshed)
	f.mu.Unlock()
	out, err := f.sh("echo bad > .paperfs/refresh")
	require.Error(t, err)
	require.Contains(t, out, "rror")
	require.EqualValues(t, 1, f.failures.Count())
}

func TestStatAnswersOnTheHandleThatAsked(t *testing.T) {
	f := newFixture(t)
	const ask = `exec 3<>.paperfs/stat; echo papers/A >&3; exec 4<>.paperfs/stat; echo "$1/media" >&4; cat <&3; cat <&4; echo by-id/1 >&3; cat <&3`
	require.Equal(t, "{\n  \"path\": \"papers/A\"\n}\n{\n  \"path\": \"media\"\n}\n{\n  \"path\": \"by-id/1\"\n}\n", f.must(ask))
	require.Empty(t, f.must("cat .paperfs/stat"))
	_, err := f.sh("echo none > .paperfs/stat")
	require.Error(t, err)
	require.Contains(t, f.must("cat .paperfs/errors"), "ENOENT")
}

// fail adds an entry to failed/.
func (f *fixture) fail(name, content string) {
	require.NoError(f.t, os.WriteFile(filepath.Join(f.media.dir, name), []byte(content), 0o600))
	f.media.mu.Lock()
	defer f.media.mu.Unlock()
	f.media.failed = []media.FailedEntry{{Name: name, Path: name, Size: int64(len(content)), Mode: 0o640, Reason: "too\nlarge",
		ModTime: time.Unix(1_600_000_000, 0), Since: time.Unix(0, 0)}}
}

func TestFailedContent(t *testing.T) {
	f := newFixture(t)
	require.Empty(t, f.must("ls .paperfs/failed"))
	f.fail("film.mp4", "content")
	require.Equal(t, "film.mp4\n", f.must("ls .paperfs/failed"))
	require.Equal(t, "content", f.must("cat .paperfs/failed/film.mp4"))
	require.Equal(t, "640 7 1600000000\n", f.must("stat -c '%a %s %Y' .paperfs/failed/film.mp4"))
	_, err := f.sh("echo x >> .paperfs/failed/film.mp4")
	require.Error(t, err)
	_, err = f.sh("mv .paperfs/failed/film.mp4 .paperfs/failed/other")
	require.Error(t, err)
	f.must("rm .paperfs/failed/film.mp4")
	require.Empty(t, f.must("ls .paperfs/failed"))
}

func TestMovingIntoMediaTriesAgain(t *testing.T) {
	f := newFixture(t)
	f.fail("film.mp4", "content")
	_, err := f.sh("mv .paperfs/failed/film.mp4 media/refused")
	require.Error(t, err)
	require.Equal(t, "film.mp4\n", f.must("ls .paperfs/failed"))
	require.Contains(t, f.must("cat .paperfs/errors"), "too large still")
	f.must("mv .paperfs/failed/film.mp4 media/new.mp4")
	f.mu.Lock()
	require.Equal(t, "film.mp4 new.mp4 true", f.retried)
	f.mu.Unlock()
	require.Empty(t, f.must("ls .paperfs/failed"))
}

func TestMovingElsewhereCopies(t *testing.T) {
	f := newFixture(t)
	f.fail("film.mp4", strings.Repeat("content", 100_000))
	f.must("mv .paperfs/failed/film.mp4 other/")
	require.Equal(t, "640 700000 1600000000\n", f.must("stat -c '%a %s %Y' other/film.mp4"), "mode and times are copied")
	require.Empty(t, f.must("ls .paperfs/failed"))
}

// TestOnlyAQuestionIsAsked checks that an ioctl(2) that asks something else, such as whether a file is a terminal, asks nothing.
func TestOnlyAQuestionIsAsked(t *testing.T) {
	f := newFixture(t)
	file := testrun.Must(os.Open(filepath.Join(f.dir, ".paperfs", "refresh")))(t)
	defer file.Close()
	_, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	require.ErrorIs(t, err, syscall.ENOTTY)
	require.NoError(t, Ask(file, "papers/A"))
	require.ErrorIs(t, Ask(file, strings.Repeat("a", 1<<14)), syscall.E2BIG)
	f.mu.Lock()
	defer f.mu.Unlock()
	require.Equal(t, []string{"papers/A"}, f.refreshed)
}

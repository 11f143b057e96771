package media

import (
	"context"
	"io"
	rand "math/rand/v2"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/remote"
	"paperfs/remote/service/kit/disktest"
	"paperfs/remote/testrun"
)

// powerCutDir makes TestPowerCutChild the observed program; its state and cache are below that
// directory.
const powerCutDir = "MEDIA_TEST_POWER_CUT_DIR"

func powerCutDirs(dir string) state.Dirs {
	return state.Dirs{State: dir + "/home/state", Cache: dir + "/home/cache"}
}

// TestPowerCut simulates a power loss at every moment of a program that uses a store with a
// queue, and with each possible state of the disk: everything promised by then exists,
// complete, and no unclosed content is published. A run that has no time for everything looks at half
// of the states, another half each time.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestPowerCutChild$")
	program.Env = append(os.Environ(), powerCutDir+"="+dir)
	recording := disktest.Record(t, dir, program)
	seen, skip := map[string]bool{}, rand.IntN(2)
	for name, kept := range map[string]disktest.Kept{"nothing": disktest.Nothing, "names": disktest.Names, "contents": disktest.Contents} {
		n := 0
		recording.Moments(func(m disktest.Moment) {
			if print := strings.Join(m.Said, "\n") + m.Print(kept); !seen[print] {
				seen[print] = true
				if skip = 1 - skip; skip == 1 && !testrun.All() {
					return
				}
				n++
				checkPowerCut(t, m, kept, name)
			}
		})
		t.Logf("%d disk states with %s unsynced", n, name)
	}
}

// TestPowerCutChild is the program that TestPowerCut observes.
func TestPowerCutChild(t *testing.T) {
	dir := os.Getenv(powerCutDir)
	if dir == "" {
		t.Skip("the program that TestPowerCut runs")
	}
	st, err := state.Open(powerCutDirs(dir), "/mnt")
	require.NoError(t, err)
	p := &cutPlayer{t: t, service: newFakeService(), open: map[string]*Handle{}}
	p.store, err = Open(cutOptions(told{p.service, disktest.Say}, st))
	require.NoError(t, err)
	papers := newFakePapers()
	papers.goAway(unreachable)
	(&fixture{store: p.store}).sendTo(papers)
	for i, a := range cutScript() {
		disktest.Say("begin %d", i)
		a.do(p)
		disktest.Say("done %d", i)
	}
	require.NoError(t, p.store.Close())
	require.NoError(t, st.Close())
}

func cutOptions(service Service, st *state.State) Options {
	return Options{Service: service, State: st, Reserve: -1, Linger: -1, Debounce: -1, WriteBack: true,
		Pause: func(int, error) time.Duration { return 2 * time.Millisecond }}
}

// told is the service; it reports each request before it answers.
type told struct {
	*fakeService
	say func(format string, args ...any)
}

func (s told) UploadFile(ctx context.Context, parent int64, name string, content remote.Content) (remote.Upload, error) {
	if refusesName(name) {
		return remote.Upload{}, errNo
	}
	up, err := s.fakeService.UploadFile(ctx, parent, name, content)
	if err == nil {
		s.say("holds %d %d %s %s", up.FileID, parent, name, up.SHA256)
	}
	return up, err
}

func (s told) CreateDirectory(ctx context.Context, parent int64, name string) (int64, error) {
	id, err := s.fakeService.CreateDirectory(ctx, parent, name)
	if err == nil {
		s.say("directory %d %d %s", id, parent, name)
	}
	return id, err
}

// cutPlayer performs the acts.
type cutPlayer struct {
	t       *testing.T
	service *fakeService
	store   *Store
	open    map[string]*Handle
}

func (p *cutPlayer) dir(at string) Ino {
	if at == "." {
		return Root
	}
	a, err := p.store.Find(ctx, at)
	require.NoError(p.t, err, at)
	return a.Ino
}

// write opens and truncates a file, as a shell's redirection does, and writes it.
func (p *cutPlayer) write(at, content string) {
	if a, err := p.store.Find(ctx, at); err == nil {
		p.open[at], err = p.store.Open(a.Ino, true)
		require.NoError(p.t, err)
		require.NoError(p.t, p.open[at].Truncate(0))
	} else {
		_, p.open[at], err = p.store.Create(p.dir(path.Dir(at)), path.Base(at), New{Mode: 0o644, UID: Owner, GID: Owner})
		require.NoError(p.t, err)
	}
	half := len(content) / 2
	_, err := p.open[at].WriteAt([]byte(content[:half]), 0)
	require.NoError(p.t, err)
	_, err = p.open[at].WriteAt([]byte(content[half:]), int64(half))
	require.NoError(p.t, err)
}

func (p *cutPlayer) close(at string) {
	require.NoError(p.t, p.open[at].Flush(ctx))
	p.open[at].Release()
}

func (p *cutPlayer) mkdir(at string) {
	_, err := p.store.Mkdir(ctx, p.dir(path.Dir(at)), path.Base(at), New{Mode: 0o755, UID: Owner, GID: Owner})
	require.NoError(p.t, err)
}

func (p *cutPlayer) rename(from, to string) {
	require.NoError(p.t, p.store.Rename(ctx, p.dir(path.Dir(from)), path.Base(from), p.dir(path.Dir(to)), path.Base(to), false, ""))
}

// readAt returns the content of a file of a store.
func readAt(t *testing.T, s *Store, ino Ino) string {
	h, err := s.Open(ino, false)
	require.NoError(t, err)
	defer h.Release()
	content, err := io.ReadAll(io.NewSectionReader(readerAt{h}, 0, 1<<30))
	require.NoError(t, err)
	return string(content)
}

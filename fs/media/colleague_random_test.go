package media_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestARandomColleague checks the rules below while the mount's user and a colleague, who calls the
// service directly, change the same names. The test delays requests of the mount before the service
// gets them, or before their answers return. In the meantime the colleague changes the same files,
// removes a directory or creates it again, the mount reads the tree, programs are interrupted, and
// other programs use the same names. Whenever nothing is under way or queued:
//
//   - a path has the complete result of the last change by either of them, or of one of several
//     simultaneous last changes. The content of a change that succeeded for the mount's user may be
//     in failed/ instead, with a line in errors.
//   - the colleague's content disappears only through an unconditional overwrite, or through a
//     removal that could have seen it
//   - the mount shows the service's files, and no directory that the service lacks, unless the
//     directory holds temporary files
//
// PAPERFS_TEST_SEED repeats a run; PAPERFS_TEST_ROUNDS is the number of rounds in each mode.
func TestARandomColleague(t *testing.T) {
	rounds := 10
	if n, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_ROUNDS")); err == nil {
		rounds = n
	} else {
		testrun.Long(t, "lets a colleague work at random")
	}
	t.Parallel()
	seed := rand.Uint64N(1 << 32)
	if s, err := strconv.ParseUint(os.Getenv("PAPERFS_TEST_SEED"), 10, 64); err == nil {
		seed = s
	}
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			t.Logf("PAPERFS_TEST_SEED=%d", seed)
			b := newColleagueMount(t, options...)
			for round := range rounds {
				b.round(seed, round)
			}
		})
	}
}

// colleagueMount is a mount, and a colleague who uses the same service.
type colleagueMount struct {
	*mount
	colleague *remote.Client
	trees     *trees
	random    *rand.Rand
	history   *history
	made      int // number of contents created
	did       []string
}

// trees records when the mount reads a tree.
type trees struct {
	*remote.Client
	history *history
	reading atomic.Int32
	last    atomic.Int64 // when the last read ended
}

func (t *trees) GetTreeIfChanged(ctx context.Context, known remote.Validator) (remote.MediaTree, remote.Validator, error) {
	t.reading.Add(1)
	tree, now, err := t.Client.GetTreeIfChanged(ctx, known)
	t.last.Store(int64(t.history.tick()))
	t.reading.Add(-1)
	return tree, now, err
}

func newColleagueMount(t *testing.T, options ...func(*media.Options)) *colleagueMount {
	b := &colleagueMount{history: &history{base: map[string]string{}, acts: map[string][]*act{}}}
	fixture := servicetest.Start(t)
	var err error
	b.colleague, err = remote.New(remote.Options{BaseURL: fixture.URL, Username: fixture.Username, Password: fixture.Password})
	require.NoError(t, err)
	t.Cleanup(b.colleague.Close)
	b.trees = &trees{history: b.history}
	b.mount = newMountOn(t, fixture, append(options, checkEachName, func(o *media.Options) {
		b.trees.Client = o.Service.(*remote.Client)
		o.Service, o.TTL = b.trees, time.Hour
		b.history.queues = o.WriteBack
	})...)
	return b
}

// round performs some steps and then compares.
func (b *colleagueMount) round(seed uint64, round int) {
	b.did = nil
	for step := range 10 {
		b.random = rand.New(rand.NewPCG(seed, uint64(round)<<16|uint64(step)))
		b.note("step %d", step)
		switch b.random.IntN(10) {
		case 0, 1:
			b.colleagueActs()
		case 2:
			b.refresh()
		case 3, 4:
			b.gestureWithPause()
		case 5:
			b.gestureWithFaults()
		default:
			b.gestureWithDelay()
		}
		if b.quiet() {
			b.history.settle()
		}
	}
	if b.random.IntN(4) == 0 {
		b.note("a remount")
		b.remount()
	}
	b.compare(seed, round)
}

func (b *colleagueMount) note(format string, args ...any) {
	b.did = append(b.did, fmt.Sprintf("%d: ", b.history.tick())+fmt.Sprintf(format, args...))
}

// content returns unique content and a name for a file with it.
func (b *colleagueMount) content(who string) (content, file string) {
	b.made++
	content = strings.Repeat(fmt.Sprintf("%s %d\n", who, b.made), 1+b.random.IntN(2000))
	return content, fmt.Sprint("new", b.made)
}

func (b *colleagueMount) quiet() bool {
	return b.store.Idle() && !b.store.Late() && b.store.Status().Writing == 0 && b.trees.reading.Load() == 0
}

// refresh makes the mount refresh the tree, which may fail if the service was unreachable.
func (b *colleagueMount) refresh() {
	b.note("the mount refreshes its tree")
	_ = b.store.Refresh(b.t.Context())
}

// refreshBeside refreshes the tree in the background, and closes over at the end. The read counts
// from now on, not from its request: who removes a file meanwhile may already see what the
// colleague has put there.
func (b *colleagueMount) refreshBeside(over chan<- struct{}) {
	b.note("the mount refreshes its tree")
	b.trees.reading.Add(1)
	go func() {
		defer close(over)
		_ = b.store.Refresh(b.t.Context()) // fails if its request is lost
		b.trees.reading.Add(-1)
	}()
}

// gestureWithPause runs a gesture. If the gesture pauses, the colleague acts during the pause.
func (b *colleagueMount) gestureWithPause() {
	b.t.Helper()
	g := b.start()
	select {
	case <-g.said.ready:
		b.othersAct()
		g.goOn()
	case <-g.ended:
	}
	b.end(g)
}

// othersAct makes the colleague act, and the mount refresh, at random.
func (b *colleagueMount) othersAct() {
	for range b.random.IntN(3) {
		b.colleagueActs()
	}
	if b.random.IntN(3) == 0 {
		b.refresh()
	}
}

var heldOperations = []*remote.Operation{remote.UploadFile, remote.UploadFile, remote.UploadFile, remote.DeleteFile, remote.GetTree, remote.CreateDirectory}

// delayRequests delays the next requests of an operation, before the service gets them or before their
// answers return.
func (b *colleagueMount) delayRequests(op *remote.Operation) (arrived <-chan struct{}, release func()) {
	if b.random.IntN(2) == 0 {
		b.note("the answer of %s is delayed", op.Name)
		return b.proxy.FreezeAnswer(op)
	}
	b.note("%s is delayed", op.Name)
	held, released := make(chan struct{}), make(chan struct{})
	tell := sync.OnceFunc(func() { close(held) })
	b.proxy.Answer(op, func(_ http.ResponseWriter, r *http.Request) bool {
		tell()
		select {
		case <-released:
		case <-r.Context().Done():
		}
		return false
	})
	return held, sync.OnceFunc(func() { close(released) })
}

// gestureWithDelay runs a gesture with a delayed request, while others continue.
func (b *colleagueMount) gestureWithDelay() {
	b.t.Helper()
	op := heldOperations[b.random.IntN(len(heldOperations))]
	arrived, release := b.delayRequests(op)
	g := b.start()
	ready := g.said.ready
	for over := false; !over; {
		select {
		case <-arrived:
			over = true
			b.note("%s has arrived", op.Name)
		case <-ready:
			ready = nil
			if b.random.IntN(2) == 0 {
				b.colleagueActs()
			}
			g.goOn()
		case <-g.ended:
			over = b.quiet()
		case <-time.After(time.Millisecond):
		}
	}
	for range b.random.IntN(3) {
		b.colleagueActs()
	}
	tree := make(chan struct{})
	if b.random.IntN(2) == 0 {
		b.refreshBeside(tree)
	} else {
		close(tree)
	}
	if op != remote.GetTree {
		<-tree
	}
	if b.random.IntN(3) == 0 {
		s := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL}[b.random.IntN(3)]
		b.note("signal %v", s)
		_ = syscall.Kill(-g.program.Process.Pid, s)
	}
	var other *running
	if b.random.IntN(3) == 0 {
		other = b.start()
		other.goOn()
		select { // whether it waits for the delayed request is random
		case <-other.ended:
		case <-time.After(time.Duration(b.random.IntN(20)) * time.Millisecond):
		}
	}
	b.note("the delayed request continues")
	g.goOn()
	release()
	<-tree
	b.end(g)
	if other != nil {
		b.end(other)
	}
	b.proxy.Heal()
	b.eventually(func() bool { return !b.store.Late() })
}

// gestureWithFaults runs a gesture while the service refuses uploads or is unreachable, or while connections
// break.
func (b *colleagueMount) gestureWithFaults() {
	b.t.Helper()
	switch b.random.IntN(7) {
	case 0:
		b.note("the service is unreachable")
		b.proxy.Down()
	case 1, 2:
		b.note("the next reply to an upload is lost")
		b.proxy.Cut(remote.UploadFile, 1, 0)
	case 3:
		b.note("the connection of the next upload breaks")
		b.proxy.CutRequest(remote.UploadFile, 1, 5000)
	default:
		b.note("uploads are refused")
		b.refuse()
	}
	g := b.start()
	g.goOn()
	if b.random.IntN(2) == 0 {
		b.colleagueActs()
	}
	b.end(g)
	b.note("the service works again")
	b.proxy.Heal()
	b.proxy.Up()
	if b.random.IntN(2) == 0 {
		b.refresh()
	}
}

// compare waits until the mount has sent everything, and checks the rules.
func (b *colleagueMount) compare(seed uint64, round int) {
	b.t.Helper()
	var wrong []string
	var found map[string]string
	for deadline := time.Now().Add(testrun.Patience()); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		b.store.RetryNow()
		b.eventually(b.quiet)
		if err := b.store.Refresh(b.t.Context()); err != nil {
			wrong = []string{err.Error()} // for a moment, if the service was unreachable
			continue
		}
		b.eventually(b.quiet)
		b.history.settle()
		var dirs []string
		found, dirs = b.serviceFiles()
		wrong = b.history.wrong(found, b.failed())
		if shown, said := b.shown(); !maps.Equal(shown, found) {
			wrong = append(wrong, fmt.Sprintf("the mount shows %.8s, the service has %.8s %s", shown, found, said))
		}
		if shown := b.shownDirs(dirs); !slices.Equal(shown, dirs) {
			wrong = append(wrong, fmt.Sprintf("the mount shows the directories %v, the service has %v", shown, dirs))
		}
		if len(wrong) == 0 {
			break
		}
	}
	told := ""
	for p := range b.history.acts {
		told += b.history.tell(p)
	}
	require.Empty(b.t, wrong, "PAPERFS_TEST_SEED=%d, round %d\nfailed: %.8s\nerrors: %v\n%s\n%s", seed, round, b.failed(), b.failures.Events(), strings.Join(b.did, "\n"), told)
	b.sh(`find . -depth -path '*/.[a-z]*' -delete`)
	for _, e := range b.store.Failed() {
		require.NoError(b.t, b.store.DiscardFailed(e.Name))
	}
	b.eventually(b.quiet)
	found, _ = b.serviceFiles()
	b.history.begin(found)
}

// failed returns the contents of failed/ that have a line in errors, by path.
func (b *colleagueMount) failed() map[string][]string {
	contents := map[string][]string{}
	for _, e := range b.store.Failed() {
		if _, ok := b.failures.Last("media/" + e.Path); ok {
			contents[e.Path] = append(contents[e.Path], sum(b.mount.content(e.Name)))
		}
	}
	return contents
}

// shown returns the files that the mount shows, except temporary ones, and the other output of find.
func (b *colleagueMount) shown() (files map[string]string, said string) {
	files = map[string]string{}
	out, _ := b.command(`cd media && find . -name '.?*' -prune -o -type f -exec sha256sum {} + 2>&1`).Output()
	for line := range strings.Lines(string(out)) {
		digest, p, ok := strings.Cut(strings.TrimSpace(line), "  ./")
		if !ok {
			said += line
			continue
		}
		files[strings.ToLower(p)] = digest
	}
	return files, said
}

// shownDirs returns the directories that the mount shows, except those that the service does not
// have (onService) and that hold temporary files.
func (b *colleagueMount) shownDirs(onService []string) []string {
	dirs := strings.Fields(b.sh(`find . -name '.?*' -prune -o -type d -printf '%P\n'`))
	dirs = slices.DeleteFunc(dirs, func(dir string) bool {
		return !slices.Contains(onService, dir) && b.sh(`find `+dir+` -name '.?*'`) != ""
	})
	slices.Sort(dirs)
	return dirs
}

// serviceFiles returns the service's files and directories.
func (b *colleagueMount) serviceFiles() (files map[string]string, dirs []string) {
	tree, err := b.colleague.GetTree(b.t.Context())
	require.NoError(b.t, err)
	files = map[string]string{}
	names := map[int64]string{0: ""}
	for _, d := range tree.Dirs {
		names[d.ID] = path.Join(names[d.Parent], d.Name)
		dirs = append(dirs, names[d.ID])
	}
	for _, f := range tree.Files {
		files[strings.ToLower(path.Join(names[f.Parent], f.Name))] = f.SHA256
	}
	slices.Sort(dirs)
	return files, dirs
}

package mounttest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestRandomTrees checks the rules below while programs write, append, rename, remove and restore files and directories
// of one tree at random (testdata/trees.py), also directories in which files are open or queued, and undo. At the same
// time a colleague with an account of their own does the same at the service, answers are lost, the service is
// unreachable, and the mount is killed. After each round, with the mount and the service up:
//
//   - each content whose close succeeded is at the service, or in failed/, or the service keeps it as deleted or
//     replaced, unless a local gesture replaced or removed it
//   - so is each content of the colleague, and none was replaced by who had not seen it
//   - the mount shows the names and the contents that the service has
//   - the mount's store and the service's data are sound
//   - every program and every round ends
//
// PAPERFS_TEST_SEED repeats a run, as far as it does not depend on timing; PAPERFS_TEST_ROUNDS is the number of rounds in
// each mode.
func TestRandomTrees(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	rounds := times(1, 5)
	if n, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_ROUNDS")); err == nil {
		rounds = n
	}
	seed := rand.Uint64N(1 << 32)
	if s, err := strconv.ParseUint(os.Getenv("PAPERFS_TEST_SEED"), 10, 64); err == nil {
		seed = s
	}
	for mode, flags := range map[string][]string{"direct": {"--allow-delete"}, "write-back": {"--allow-delete", "--write-back"}} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			t.Logf("PAPERFS_TEST_SEED=%d", seed)
			g := newTrees(t, seed, flags)
			for round := range rounds {
				g.round(round)
			}
		})
	}
}

// trees is a mount, and a colleague who changes the same tree at its service.
type trees struct {
	*gestures
	theirs    *remote.Client
	colleague *rand.Rand
	puts      int      // how many contents the colleague has made
	changes   []change // of the round
	kept      map[string]where
	read      map[int64]content // what the service keeps, by entry
}

func newTrees(t *testing.T, seed uint64, flags []string) *trees {
	fixture := servicetest.Start(t)
	key := testrun.Must(fixture.Admin().AddAccount("default", "colleague", remote.Editor))(t)
	c := testrun.Must(remote.New(remote.Options{BaseURL: fixture.URL, Username: "colleague", Password: key}))(t)
	t.Cleanup(c.Close)
	g := &trees{
		gestures: &gestures{mounted: newMountOf(t, fixture, flags...), flags: flags, seed: seed, random: rand.New(rand.NewPCG(seed, 0))},
		theirs:   c, colleague: rand.New(rand.NewPCG(seed, 1)), kept: map[string]where{}, read: map[int64]content{},
	}
	if g.random.IntN(2) == 0 {
		g.proxy.TellChanges()
	}
	g.sh(`mkdir media/t; "$PAPERFS" wait .`)
	return g
}

// round runs the programs, the colleague and the disturbances, and then compares.
func (g *trees) round(n int) {
	g.t.Helper()
	log := g.log(n)
	driver := testrun.Must(filepath.Abs("testdata/trees.py"))(g.t)
	program := programtest.Command(g.t, 10*testrun.Patience(), "python3", driver, g.dir, log, fmt.Sprint(g.seed, ".", n), "3", "12")
	program.Env = g.environment()
	said := &output{changed: make(chan struct{}, 1)}
	program.Stdout, program.Stderr = said, said
	g.changes = nil
	require.NoError(g.t, program.Start())
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	killed := g.disturb(n, log, ended)
	require.NoError(g.t, <-ended, "PAPERFS_TEST_SEED=%d, round %d: %s", g.seed, n, said)
	g.proxy.Heal()
	g.proxy.Up()
	if killed {
		<-g.exited
		g.detach()
		g.start(g.flags...)
	}
	g.readLogs(log)
	g.compare(n)
	done := 0
	for _, c := range g.changes {
		if c.Done {
			done++
		}
	}
	g.t.Logf("round %d: %d of %d changes succeeded, %d contents are kept, the mount was killed: %t", n, done, len(g.changes), len(g.kept), killed)
	g.clear()
}

// disturb lets the colleague act and makes requests fail, as often as the programs log something, until they have ended. It
// reports whether it killed the mount.
func (g *trees) disturb(round int, log string, ended chan error) (killed bool) {
	kills, at := g.random.IntN(2) == 0, 10+g.random.IntN(50)
	for next := 0; len(ended) == 0; {
		lines := logged(log)
		if lines < next {
			time.Sleep(time.Millisecond)
			continue
		}
		next = lines + 1 + g.random.IntN(3)
		switch g.random.IntN(12) {
		case 0:
			lost := []*remote.Operation{remote.UploadFile, remote.MoveFile, remote.MoveDirectory, remote.CreateDirectory, remote.DeleteFile, remote.DeleteDirectory, remote.Restore}
			g.proxy.Cut(lost[g.random.IntN(len(lost))], 1, 0)
		case 1:
			g.proxy.Down()
			time.Sleep(time.Duration(g.random.IntN(100)) * time.Millisecond)
			g.proxy.Up()
		case 2:
			_, _ = g.run("bash", reread)
		default:
			g.colleagueActs(round)
		}
		if kills && lines >= at {
			require.NoError(g.t, g.process.Process.Kill())
			return true
		}
	}
	return false
}

// logged returns how many lines the programs have logged.
func logged(log string) (lines int) {
	names, _ := filepath.Glob(log + ".*")
	for _, name := range names {
		data, _ := os.ReadFile(name)
		lines += bytes.Count(data, []byte("\n"))
	}
	return lines
}

// compare waits until everything is sent, and checks the rules.
func (g *trees) compare(round int) {
	g.t.Helper()
	g.sh(`"$PAPERFS" retry . || :; "$PAPERFS" wait . > /dev/null 2>&1 || test $? = 19`)
	var wrong []string
	for deadline := time.Now().Add(testrun.Patience()); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		g.sh(reread)
		if wrong = g.differs(); len(wrong) == 0 {
			break // earlier requests may take effect late
		}
	}
	wrong = append(wrong, g.lost()...)
	report := testrun.Must(g.service.Admin().Check(g.t.Context(), admin.CheckOptions{Deep: true}))(g.t)
	if !report.Sound() {
		wrong = append(wrong, fmt.Sprintf("the service's data: %+v", report))
	}
	require.Empty(g.t, wrong, "PAPERFS_TEST_SEED=%d, round %d\nfailed: %s\nerrors: %s\nchanges:\n%s", g.seed, round, g.sh(`ls -A .paperfs/failed`),
		g.sh(`cat .paperfs/errors`), g.tell())
}

// differs lists what the mount shows otherwise than the service has it. A directory is a content, too.
func (g *trees) differs() (wrong []string) {
	tree := testrun.Must(g.client().GetTree(g.t.Context()))(g.t)
	names, has := map[int64]string{0: "."}, map[string]string{}
	for _, d := range tree.Dirs {
		names[d.ID] = path.Join(names[d.Parent], d.Name)
		has[names[d.ID]] = "directory"
	}
	for _, f := range tree.Files {
		has[path.Join(names[f.Parent], f.Name)] = f.SHA256
	}
	shown := map[string]string{}
	for p, c := range g.shown() {
		shown[p] = c.digest
	}
	delete(shown, ".")
	maps.DeleteFunc(shown, func(p, _ string) bool { return strings.HasPrefix(p, ".part") })
	for _, p := range slices.Sorted(maps.Keys(shown)) {
		if shown[p] != has[p] {
			wrong = append(wrong, fmt.Sprintf("%s is %.9s, at the service %.9s", p, shown[p], has[p]))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(has)) {
		if shown[p] == "" {
			wrong = append(wrong, fmt.Sprintf("%s is not shown, at the service it is %.9s", p, has[p]))
		}
	}
	return wrong
}

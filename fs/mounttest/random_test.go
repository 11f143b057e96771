package mounttest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cache/failure"
	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestRandomGestures checks the rules below while programs write, append, shorten, map, rename and
// remove files at random (testdata/gestures.py), drop PDFs into a category and replace those of
// papers, fork with inherited descriptors, and are interrupted and killed. At the same time the
// tree is read, a colleague changes other files, the service is unreachable, or is killed and
// restarted, the mount's disk is full, and the mount is killed. After each round, with the mount
// and the service up:
//
//   - a path has on the service the complete content that the last successful gesture promised, or
//     that a later one of unknown outcome intended
//   - or the promised content is in failed/, and the path has some complete content
//   - nothing else exists: no half a file of a killed writer or of a full disk
//   - the content of a rename of unknown outcome is under one of its names, or in failed/
//   - the mount shows what the service has; a PDF that it shows is complete
//   - each paper exists once
//   - each failure, and each entry of failed/, has a line in errors if the mount was not killed;
//     otherwise `paperfs why` reports it
//   - the close after a refused write fails too
//   - every program and every round ends
//
// PAPERFS_TEST_SEED repeats a run, as far as it does not depend on timing; PAPERFS_TEST_ROUNDS is
// the number of rounds in each mode.
func TestRandomGestures(t *testing.T) {
	t.Parallel()
	rounds, _ := strconv.Atoi(os.Getenv("PAPERFS_TEST_ROUNDS"))
	if rounds == 0 {
		t.Skip("PAPERFS_TEST_ROUNDS says how many rounds to make")
	}
	testrun.Program(t, "python3")
	seed := rand.Uint64N(1 << 32)
	if s, err := strconv.ParseUint(os.Getenv("PAPERFS_TEST_SEED"), 10, 64); err == nil {
		seed = s
	}
	for mode, flags := range map[string][]string{"direct": {"--allow-delete"}, "write-back": {"--allow-delete", "--write-back"}} {
		t.Run(mode, func(t *testing.T) {
			t.Logf("PAPERFS_TEST_SEED=%d", seed)
			g := newGestures(t, seed, flags)
			for round := range rounds {
				g.round(round)
			}
		})
	}
}

// gestures is a mount and its rules.
type gestures struct {
	*mounted
	server *served
	flags  []string
	seed   uint64
	random *rand.Rand
	disk   string // the disk that the mount writes to, or "" if it cannot be filled
	oracle oracle
}

func newGestures(t *testing.T, seed uint64, flags []string) *gestures {
	server := serve(t)
	fixture := server.fixture()
	m := &mounted{t: t, service: fixture, proxy: servicetest.NewProxy(t, fixture.URL), home: t.TempDir()}
	m.dir = filepath.Join(m.home, "ipaper")
	g := &gestures{mounted: m, server: server, flags: flags, seed: seed, random: rand.New(rand.NewPCG(seed, 0))}
	if os.Geteuid() == 0 {
		g.disk = filepath.Join(m.home, "state")
		require.NoError(t, os.Mkdir(g.disk, 0o700))
		require.NoError(t, unix.Mount("tmpfs", g.disk, "tmpfs", 0, "size=280m"))
		t.Cleanup(func() { _ = unix.Unmount(g.disk, unix.MNT_DETACH) })
	}
	m.start(flags...)
	t.Cleanup(func() { m.kill() })
	m.sh(`mkdir papers/R`)
	return g
}

// round runs the programs and the disturbances, and then compares.
func (g *gestures) round(n int) {
	g.t.Helper()
	began := time.Now().Add(-time.Second) // equal failures within a second are reported once
	log := g.log(n)
	driver := testrun.Must(filepath.Abs("testdata/gestures.py"))(g.t)
	program := programtest.Command(g.t, testrun.Patience(), "python3", driver, filepath.Join(g.dir, "media"), log, fmt.Sprint(g.seed, ".", n), "4", "12")
	program.Env = g.environment()
	said := new(output)
	said.changed = make(chan struct{}, 1)
	program.Stdout, program.Stderr = said, said
	require.NoError(g.t, program.Start())
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	killed := g.disturb(n, ended)
	require.NoError(g.t, <-ended, "round %d: %s", n, said)
	if killed {
		<-g.exited
		g.detach()
		g.start(g.flags...)
	}
	tried, done := g.oracle.read(g.t, log)
	g.t.Logf("round %d: %d of %d gestures succeeded, %d failed, the mount was killed: %t", n, done, tried, len(g.oracle.failures), killed)
	g.compare(n)
	g.told(n, began, killed)
	g.clear()
}

// clear empties failed/, in which a kill may have put a temporary name: that begins with a dot.
func (g *gestures) clear() {
	g.t.Helper()
	g.sh(`find .paperfs/failed -type f -delete`)
}

// disturb causes random disturbances until the programs have ended, and reports whether it killed
// the mount.
func (g *gestures) disturb(round int, ended chan error) (killed bool) {
	kills, at := g.random.IntN(2) == 0, 5+g.random.IntN(20)
	restarts := 0
	for step := 0; len(ended) == 0; step++ {
		time.Sleep(time.Duration(g.random.IntN(100)) * time.Millisecond)
		switch g.random.IntN(14) {
		case 0, 1, 7, 8, 9:
			_, _ = g.run("bash", reread)
		case 2, 3:
			testrun.Must(g.client().UploadFile(g.t.Context(), 0, fmt.Sprintf("colleague%d", g.random.IntN(3)), bytesOf(fmt.Sprint("theirs ", round, step))))(g.t)
		case 4:
			g.proxy.Down()
			time.Sleep(time.Duration(g.random.IntN(200)) * time.Millisecond)
			g.proxy.Up()
		case 6:
			if restarts++; restarts <= mostRestarts {
				g.restart()
			}
		case 5:
			g.fill()
			time.Sleep(time.Duration(g.random.IntN(100)) * time.Millisecond)
			g.free()
		}
		if kills && step == at {
			require.NoError(g.t, g.process.Process.Kill())
			return true
		}
	}
	return false
}

// mostRestarts is how often a round kills the service. The third kill while the service processes one PDF makes it
// give that PDF up, and on a busy machine all kills of a round may meet the same one.
const mostRestarts = 2

// restart kills the service, and starts it again after a moment.
func (g *gestures) restart() {
	g.server.kill()
	time.Sleep(time.Duration(g.random.IntN(100)) * time.Millisecond)
	g.server.start()
	g.service = g.server.fixture()
	g.proxy.To(g.service.URL)
}

func (g *gestures) filler() string { return filepath.Join(g.disk, "filler") }

// fill fills the mount's disk completely, or up to the space that the mount leaves to others.
func (g *gestures) fill() {
	if g.disk == "" {
		return
	}
	f := testrun.Must(os.Create(g.filler()))(g.t)
	defer f.Close()
	var s unix.Statfs_t
	require.NoError(g.t, unix.Statfs(g.disk, &s))
	size := int64(64 << 20)
	if g.random.IntN(4) == 0 {
		size = int64(s.Bavail) * s.Bsize
	}
	_ = unix.Fallocate(int(f.Fd()), 0, 0, size) // others write at the same time
}

func (g *gestures) free() {
	if g.disk != "" {
		require.NoError(g.t, os.Remove(g.filler()))
	}
}

// compare waits until everything is sent, and checks the rules.
func (g *gestures) compare(round int) {
	g.t.Helper()
	g.server.idle() // the PDF of a killed mount may take effect only now
	g.sh(`"$PAPERFS" retry . || :; "$PAPERFS" wait . > /dev/null 2>&1 || test $? = 19
		for p in papers/R/*.paper; do test ! -d $p || "$PAPERFS" wait $p || :; done`)
	var wrong []string
	var found map[string]string
	for deadline := time.Now().Add(testrun.Patience()); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		g.sh(reread)
		found = maps.Collect(own(g.atService()))
		shown, there := maps.Collect(own(g.digests("media"))), maps.Clone(found)
		wrong = g.papers(found)
		wrong = append(wrong, g.oracle.wrong(found, g.failed())...)
		if !maps.Equal(shown, there) {
			wrong = append(wrong, fmt.Sprintf("shown are %v, at the service %v", shown, there))
		}
		if len(wrong) == 0 {
			break // earlier requests may take effect late
		}
	}
	require.Empty(g.t, wrong, "PAPERFS_TEST_SEED=%d, round %d\nfailed: %v\njobs: %s\nerrors: %s\nlogs: %s", g.seed, round, g.failed(),
		g.sh(`tail -n +1 papers/R/*.paper/job || :`), g.sh(`cat .paperfs/errors`), g.logs(round))
	g.t.Logf("round %d: at the service are %d files, %d of them PDFs", round, len(found), len(found)-len(maps.Collect(own(g.atService()))))
	g.oracle.settle(found)
}

// told checks that each failure since a moment is reported.
func (g *gestures) told(round int, since time.Time, killed bool) {
	g.t.Helper()
	told := map[string]bool{}
	for text := range strings.Lines(g.sh(`cat .paperfs/errors`)) {
		e, err := failure.Parse(strings.TrimSuffix(text, "\n"))
		require.NoError(g.t, err, text)
		if e.Time.After(since) {
			told[strings.TrimPrefix(e.Path, "media/")] = true
		}
	}
	var untold []string
	for _, f := range g.oracle.failures {
		if !killed && !slices.ContainsFunc(f, func(path string) bool { return told[path] || told["."+path+".tmp"] || toldOfPaper(told, path) }) {
			untold = append(untold, fmt.Sprintf("a gesture with %v failed", f))
		}
	}
	for name := range g.digests(".paperfs/failed") {
		_, err := g.run("bash", `"$PAPERFS" why ".paperfs/failed/`+name+`"`)
		// An entry beside a newer one has a suffix, which its path has not; a PDF's entry has another name than its path.
		if path := strings.TrimSuffix(name, " (older)"); !told[path] && (!killed && !strings.Contains(name, ".pdf") || err != nil) {
			untold = append(untold, name+" is in failed/")
		}
	}
	g.oracle.failures = nil
	require.Empty(g.t, untold, "without a line in errors, PAPERFS_TEST_SEED=%d, round %d\nerrors: %s\nlogs: %s", g.seed, round, g.sh(`cat .paperfs/errors`), g.logs(round))
}

// logs returns the programs' output.
func (g *gestures) logs(round int) (all string) {
	names, _ := filepath.Glob(g.log(round) + ".*")
	for _, name := range names {
		data, _ := os.ReadFile(name)
		all += string(data)
	}
	return all
}

func (g *gestures) log(round int) string { return filepath.Join(g.home, fmt.Sprintf("log%d", round)) }

// own returns the files of the programs.
func own(files map[string]string) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for path, digest := range files {
			if !strings.HasPrefix(path, "colleague") && !strings.HasPrefix(path, ".") && !yield(path, digest) {
				return
			}
		}
	}
}

// failed returns the digests of the content in failed/.
func (g *gestures) failed() []string {
	return slices.Collect(maps.Values(g.digests(".paperfs/failed")))
}

// digests returns those of the existing files in a directory of the mount.
func (g *gestures) digests(dir string) map[string]string {
	out, _ := g.run("bash", `cd `+dir+` && find . -type f -exec sha256sum {} +`)
	files := map[string]string{}
	for text := range strings.Lines(out) {
		if digest, path, ok := strings.Cut(strings.TrimSpace(text), "  ./"); ok {
			files[path] = digest
		}
	}
	return files
}

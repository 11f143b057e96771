package fs_test

import (
	"encoding/json"
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

	"paperfs/fs/programtest"
	"paperfs/remote/service/servicetest"
)

// TestRandomGestures: programs write, append, shorten, map, rename and remove
// files at random (testdata/gestures.py), fork with inherited descriptors, and are
// interrupted and killed. Meanwhile the tree is read, a colleague changes other
// files, the service goes away, the disk of the mount is full, and the mount is
// killed. After each round, with the mount and the service up:
//
//   - a path holds at the service what the last gesture that succeeded has
//     promised, or what a later one of unknown outcome meant to leave, whole
//   - or the promised content is in failed/, and the path holds something whole
//   - nothing else is there: no half of a killed writer, no torso of a full disk
//   - content of a rename of unknown outcome is under one of its names, or in
//     failed/
//   - what the mount shows is what the service holds
//   - every program and every round ends
//
// PAPERFS_TEST_SEED repeats a run, as far as it does not depend on the moment;
// PAPERFS_TEST_ROUNDS is how many rounds of each mode are made.
func TestRandomGestures(t *testing.T) {
	rounds, _ := strconv.Atoi(os.Getenv("PAPERFS_TEST_ROUNDS"))
	if rounds == 0 {
		t.Skip("PAPERFS_TEST_ROUNDS says how many rounds to make")
	}
	need(t, "python3")
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

// gestures is a mount with what must hold of it.
type gestures struct {
	*mounted
	flags  []string
	seed   uint64
	random *rand.Rand
	disk   string // what the mount writes to, "" where it cannot be filled
	oracle oracle
}

func newGestures(t *testing.T, seed uint64, flags []string) *gestures {
	fixture := servicetest.Start(t)
	m := &mounted{t: t, service: fixture, proxy: servicetest.NewProxy(t, fixture.URL), home: t.TempDir()}
	m.dir = filepath.Join(m.home, "ipaper")
	g := &gestures{mounted: m, flags: flags, seed: seed, random: rand.New(rand.NewPCG(seed, 0))}
	if os.Geteuid() == 0 {
		g.disk = filepath.Join(m.home, "state")
		require.NoError(t, os.Mkdir(g.disk, 0o700))
		require.NoError(t, unix.Mount("tmpfs", g.disk, "tmpfs", 0, "size=300m"))
		t.Cleanup(func() { _ = unix.Unmount(g.disk, unix.MNT_DETACH) })
	}
	m.start(flags...)
	t.Cleanup(func() { m.kill() })
	return g
}

// round has programs work while others disturb, and compares.
func (g *gestures) round(n int) {
	g.t.Helper()
	log := g.log(n)
	driver, err := filepath.Abs("testdata/gestures.py")
	require.NoError(g.t, err)
	program := programtest.Command(g.t, patience, "python3", driver, filepath.Join(g.dir, "media"), log, fmt.Sprint(g.seed, ".", n), "4", "12")
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
	g.t.Logf("round %d: %d of %d gestures succeeded, the mount was killed: %t", n, done, tried, killed)
	g.compare(n)
}

// disturb disturbs at random until the programs have ended, and reports whether
// it killed the mount.
func (g *gestures) disturb(round int, ended chan error) (killed bool) {
	kills := g.random.IntN(2) == 0
	for step := 0; len(ended) == 0; step++ {
		time.Sleep(time.Duration(g.random.IntN(100)) * time.Millisecond)
		switch g.random.IntN(16) {
		case 0, 1, 8, 9, 10:
			_, _ = g.run("bash", reread)
		case 2, 3:
			_, err := g.client().UploadFile(g.t.Context(), 0, fmt.Sprintf("colleague%d", g.random.IntN(3)), bytesOf(fmt.Sprint("theirs ", round, step)))
			require.NoError(g.t, err)
		case 4:
			g.proxy.Down()
			time.Sleep(time.Duration(g.random.IntN(200)) * time.Millisecond)
			g.proxy.Up()
		case 5:
			g.fill()
			time.Sleep(time.Duration(g.random.IntN(100)) * time.Millisecond)
			g.free()
		case 6, 7:
			if kills && step > 5 {
				require.NoError(g.t, g.process.Process.Kill())
				return true
			}
		}
	}
	return false
}

func (g *gestures) filler() string { return filepath.Join(g.disk, "filler") }

// fill leaves nothing of the mount's disk, or less than the mount leaves others.
func (g *gestures) fill() {
	if g.disk == "" {
		return
	}
	f, err := os.Create(g.filler())
	require.NoError(g.t, err)
	defer f.Close()
	var s unix.Statfs_t
	require.NoError(g.t, unix.Statfs(g.disk, &s))
	size := int64(64 << 20)
	if g.random.IntN(2) == 0 {
		size = int64(s.Bavail) * s.Bsize
	}
	_ = unix.Fallocate(int(f.Fd()), 0, 0, size) // others write meanwhile
}

func (g *gestures) free() {
	if g.disk != "" {
		require.NoError(g.t, os.Remove(g.filler()))
	}
}

// compare waits until all is sent, and holds what is there against the rules.
func (g *gestures) compare(round int) {
	g.t.Helper()
	g.sh(`"$PAPERFS" retry . ; "$PAPERFS" wait . > /dev/null 2>&1; test $? = 0 -o $? = 19`)
	var wrong []string
	var found map[string]string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		g.sh(reread)
		found = maps.Collect(own(g.atService()))
		wrong = g.oracle.wrong(found, g.failed())
		if shown := maps.Collect(own(g.digests("media"))); !maps.Equal(shown, found) {
			wrong = append(wrong, fmt.Sprintf("shown are %v, at the service %v", shown, found))
		}
		if len(wrong) == 0 {
			break // what was asked of the service before may have its effect late
		}
	}
	require.Empty(g.t, wrong, "PAPERFS_TEST_SEED=%d, round %d\nfailed: %v\nerrors: %s\nlogs: %s", g.seed, round, g.failed(), g.sh(`cat .paperfs/errors`), g.logs(round))
	g.sh(`rm -f .paperfs/failed/*`)
	g.oracle.settle(found)
}

// logs is what the programs told.
func (g *gestures) logs(round int) (all string) {
	names, _ := filepath.Glob(g.log(round) + ".*")
	for _, name := range names {
		data, _ := os.ReadFile(name)
		all += string(data)
	}
	return all
}

func (g *gestures) log(round int) string { return filepath.Join(g.home, fmt.Sprintf("log%d", round)) }

// own are the files of the programs.
func own(files map[string]string) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for path, digest := range files {
			if !strings.HasPrefix(path, "colleague") && !strings.HasPrefix(path, ".") && !yield(path, digest) {
				return
			}
		}
	}
}

// failed are the digests of what is in failed/.
func (g *gestures) failed() []string {
	return slices.Collect(maps.Values(g.digests(".paperfs/failed")))
}

// digests are those of the files in a directory of the mount, as far as they do
// not go meanwhile.
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

// oracle knows what the gestures have promised. A digest "" stands for no file.
type oracle struct {
	promised map[string]string   // what each path has to hold
	may      map[string][]string // or may, since that was promised
	ever     map[string][]string // whole content that it ever had
	kept     []kept
}

// kept is content of a rename of unknown outcome.
type kept struct {
	digest string
	paths  map[string]string
}

// line is one of the log, which also has the gesture and the digest of its first
// half (does): what is meant to be, what is promised, what a rename
// moves, or what a program has read before it did anything.
type line struct{ May, Is, Keeps, Reads map[string]string }

// read takes in a round's log, and counts the gestures in it.
func (o *oracle) read(t testing.TB, log string) (tried, done int) {
	if o.promised == nil {
		o.promised, o.may, o.ever = map[string]string{}, map[string][]string{}, map[string][]string{}
	}
	logs, err := filepath.Glob(log + ".*")
	require.NoError(t, err)
	for _, name := range logs {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		renames := false // the next May is the rename's own
		for text := range strings.Lines(string(data)) {
			var l line
			require.NoError(t, json.Unmarshal([]byte(text), &l))
			for path, digest := range l.Reads {
				require.Equal(t, o.promised[path], digest, path)
			}
			if l.May != nil {
				tried++
			}
			if l.Is != nil {
				done++
			}
			for path, digest := range l.May {
				o.may[path] = append(o.may[path], digest)
				o.ever[path] = append(o.ever[path], digest)
			}
			if !renames {
				o.forget(l.May)
			}
			o.forget(l.Is)
			for path, digest := range l.Is {
				o.promised[path], o.may[path] = digest, nil
			}
			for _, digest := range l.Keeps {
				o.forget(l.Keeps)
				o.kept = append(o.kept, kept{digest, l.Keeps})
			}
			renames = l.Keeps != nil
		}
	}
	return tried, done
}

// forget forgets renames whose names are used again.
func (o *oracle) forget(paths map[string]string) {
	o.kept = slices.DeleteFunc(o.kept, func(k kept) bool {
		for path := range paths {
			if _, ok := k.paths[path]; ok {
				return true
			}
		}
		return false
	})
}

// wrong lists what breaks a rule.
func (o *oracle) wrong(found map[string]string, failed []string) (list []string) {
	paths := maps.Clone(found)
	maps.Copy(paths, o.promised)
	for path := range paths {
		is, promised := found[path], o.promised[path]
		switch {
		case is == promised, slices.Contains(o.may[path], is):
		case promised != "" && slices.Contains(failed, promised) && (is == "" || slices.Contains(o.ever[path], is)):
		case is != "" && !slices.Contains(o.ever[path], is):
			list = append(list, fmt.Sprintf("%s holds %.8s, which nobody has closed", path, is))
		default:
			list = append(list, fmt.Sprintf("%s holds %.8s, not %.8s nor one of %.8s", path, is, promised, o.may[path]))
		}
	}
	for _, k := range o.kept {
		held := slices.Contains(failed, k.digest)
		for path := range k.paths {
			held = held || found[path] == k.digest
		}
		if !held {
			list = append(list, fmt.Sprintf("%.8s of a rename is nowhere", k.digest))
		}
	}
	return list
}

// settle takes what is there for promised.
func (o *oracle) settle(found map[string]string) {
	o.promised, o.may, o.kept = maps.Clone(found), map[string][]string{}, nil
}

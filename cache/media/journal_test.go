package media

import (
	"bufio"
	"fmt"
	"maps"
	rand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// killsEnv is the number of kills per mode in TestKilledAtAnyMoment. If it is set,
// TestKilledAtEachStep stops at every pass of each step, and in half of these trials again at the next start.
const killsEnv = "PAPERFS_TEST_KILLS"

// TestKilledAtEachStep kills a process at each step, sometimes again while the next start
// repairs what the first left. Afterwards every completed act is at the service, exactly once,
// or in failed/; the interrupted act is done or not begun; and no unclosed content was
// published.
func TestKilledAtEachStep(t *testing.T) {
	t.Parallel()
	onStages(t, func(s *stage) {
		passes, _ := s.trial(kill{})
		every := 8 // a part at random, of each mode; all parts run in time
		if testrun.All() {
			every = 2
		}
		from := rand.IntN(every)
		for i, name := range slices.Sorted(maps.Keys(passes)) {
			if os.Getenv(killsEnv) == "" {
				if i%every == from {
					s.trial(kill{step: name, pass: 1 + rand.IntN(passes[name])})
				}
				continue
			}
			for pass := 1; pass <= passes[name]; pass++ {
				s.trial(kill{step: name, pass: pass, again: rand.IntN(2) * (1 + rand.IntN(8))})
			}
		}
	})
}

// TestKilledAroundADeletion kills at every deletion of a file at the service. Only the mark
// that mv of a to .a leaves beforehand tells the next start to send a again.
func TestKilledAroundADeletion(t *testing.T) {
	t.Parallel()
	onStages(t, func(s *stage) {
		passes, _ := s.trial(kill{})
		for _, name := range []string{"file to be deleted", "file deleted"} {
			require.NotZero(t, passes[name])
			for pass := 1; pass <= passes[name]; pass++ {
				if pass > 1 && pass < passes[name] && !testrun.All() {
					continue // between the first and the last
				}
				s.trial(kill{step: name, pass: pass})
			}
		}
	})
}

// TestKilledAtAnyMoment does the same as TestKilledAtEachStep between the steps.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	n, err := strconv.Atoi(os.Getenv(killsEnv))
	if err != nil {
		n = 1
		if testrun.All() {
			n = 2
		}
	}
	onStages(t, func(s *stage) {
		_, took := s.trial(kill{})
		for range n {
			s.trial(kill{after: 1 + rand.N(took), again: rand.IntN(8)})
		}
	})
}

// kill says when the process is killed: at pass number of a step, or some time after its
// start; and at which step the next process is killed, 0 for never.
type kill struct {
	step  string
	pass  int
	after time.Duration
	again int
}

func onStages(t *testing.T, play func(*stage)) {
	for _, writeBack := range []bool{false, true} {
		t.Run(map[bool]string{false: "direct", true: "write-back"}[writeBack], func(t *testing.T) {
			t.Parallel()
			play(&stage{t: t, writeBack: writeBack})
		})
	}
}

// trialsPerService limits the size of the trees: each mount of a trial reads what all earlier
// trials left at the service.
const trialsPerService = 20

// stage is a service for several trials, each in a directory of its own.
type stage struct {
	t         *testing.T
	fixture   *servicetest.Fixture
	client    *remote.Client
	writeBack bool
	trials    int
}

// trial runs the script until the kill, restarts and checks. It returns how often each step was
// passed, and how long the script took.
func (s *stage) trial(k kill) (passes map[string]int, took time.Duration) {
	if s.trials%trialsPerService == 0 {
		s.newService()
	}
	s.trials++
	top := fmt.Sprintf("trial%d", s.trials)
	_, err := s.client.CreateDirectory(s.t.Context(), 0, top)
	require.NoError(s.t, err)
	home, err := os.MkdirTemp(memory(), "media-journal-")
	require.NoError(s.t, err)
	defer os.RemoveAll(home)
	p := &process{stage: s, top: top, dirs: state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}, begun: -1, done: -1}
	statetest.Prepare(s.t, p.dirs)
	began := time.Now()
	p.run(fmt.Sprintf("%d %s", k.pass, k.step), everything, k.after)
	took, passes = time.Since(began), p.passes
	if k.again > 0 {
		p.run(fmt.Sprintf("%d ", k.again), "", 0)
	}
	p.check(k)
	return passes, took
}

func (s *stage) newService() {
	s.fixture = servicetest.Start(s.t)
	client, err := remote.New(remote.Options{BaseURL: s.fixture.URL, Username: s.fixture.Username, Password: s.fixture.Password})
	require.NoError(s.t, err)
	s.t.Cleanup(client.Close)
	s.client = client
}

// process is a process that runs the script, and its output.
type process struct {
	*stage
	top         string
	dirs        state.Dirs
	least       int  // size limit of the service, in bytes
	judges      bool // the service of the next run compares versions
	begun, done int  // number of acts, -1 for none
	passes      map[string]int
	contents    map[string]string // of all content that the script writes, by SHA-256
}

// run starts a child and waits for it to end. The child runs one of plays or, for "", only
// recovers what was left.
func (p *process) run(killAt, play string, after time.Duration) {
	child := exec.Command(os.Args[0], "-test.run=^TestJournalChild$")
	child.Env = append(os.Environ(), childURL+"="+p.fixture.URL, childUsername+"="+p.fixture.Username, childPassword+"="+p.fixture.Password,
		childDir+"="+p.dirs.State+"\n"+p.dirs.Cache, journalTop+"="+p.top, journalKillAt+"="+killAt, journalPlays+"="+play,
		journalLeast+"="+strconv.Itoa(p.least))
	if p.writeBack {
		child.Env = append(child.Env, childQueues+"=1")
	}
	out, err := child.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, child.Start())
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	if after > 0 {
		defer time.AfterFunc(after, func() { _ = child.Process.Kill() }).Stop()
	}
	p.passes = map[string]int{}
	said := p.listen(bufio.NewScanner(out))
	if err := child.Wait(); err != nil && !strings.Contains(err.Error(), "killed") {
		require.NoError(p.t, err, said)
	}
}

// listen records the child's output until its end and returns all of it.
func (p *process) listen(lines *bufio.Scanner) string {
	var said strings.Builder
	for lines.Scan() {
		fmt.Fprintln(&said, lines.Text())
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "begin":
			p.begun, _ = strconv.Atoi(rest)
		case "done":
			p.done, _ = strconv.Atoi(rest)
		case "step":
			p.passes[rest]++
		}
	}
	return said.String()
}

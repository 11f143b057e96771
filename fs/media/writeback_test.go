package media_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

func writeBack(o *media.Options) { o.WriteBack = true }

// drained waits until the service has everything.
func (m *mount) drained() {
	m.t.Helper()
	m.store.RetryNow()
	require.NoError(m.t, m.store.Drain(m.t.Context()))
}

func TestWriteBackWhileTheServiceIsAway(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack)
	m.sh(`ls; mkdir ../s ../s/d; for i in $(seq 20); do echo $i > ../s/d/f$i; done; echo one > known`)
	m.drained()
	m.proxy.Down()
	m.proxy.Reset()
	m.sh(`cp -r ../s a; mv a/d a/e; mv a/e/f1 a/g; rm a/e/f2; echo two > known; sed -i s/3/three/ a/e/f3; rsync -a ../s/ r/; : > empty
python3 -c 'import os; f = os.open("exec", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC); os.write(f, b"whole"); os.execlp("true", "true")'`)
	require.Empty(t, m.sh(`rsync -ai ../s/d/ r/d/`))
	require.NotEmpty(t, m.store.Queue())
	m.remount()
	require.Equal(t, "three", m.sh(`cat a/e/f3`))
	require.Equal(t, "two", m.sh(`cat known`))
	require.Empty(t, m.sh(`rsync -ai ../s/d/ r/d/`))
	m.proxy.Up()
	m.drained()
	want := map[string]string{"known": sum("two\n"), "a/g": sum("1\n"), "a/e/f3": sum("three\n"), "empty": sum(""), "exec": sum("whole")}
	for i := 1; i <= 20; i++ {
		content := sum(fmt.Sprintln(i))
		want[fmt.Sprintf("r/d/f%d", i)] = content
		if i > 3 {
			want[fmt.Sprintf("a/e/f%d", i)] = content
		}
	}
	require.Equal(t, want, m.atService())
	require.Empty(t, m.store.Failed())
}

// TestRemovingWhatIsBeingSent checks that rm and mv do not wait for an upload that hangs, and that a
// removed file is not published.
func TestRemovingWhatIsBeingSent(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack)
	m.sh(`ls`)
	release := m.proxy.Freeze(remote.UploadFile)
	m.sh(`head -c 12M /dev/zero > big; cp big other`) // more than connections buffer
	m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) == 2 })
	m.sh(`rm big; mv other renamed`)
	release()
	m.drained()
	require.Equal(t, map[string]string{"renamed": sum(strings.Repeat("\x00", 12<<20))}, m.atService())
	require.Empty(t, m.store.Failed())
	require.Empty(t, m.failures.Events())
}

func TestWriteBackOfAKilledWriter(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack)
	m.sh(`echo old > a; python3 -c 'import os; f = open("a", "wb", 0); f.write(b"half"); os.abort()'; true`)
	m.eventually(func() bool { return len(m.store.Failed()) == 1 })
	m.drained()
	for _, content := range m.atService() {
		require.Equal(t, sum("old\n"), content)
	}
}

func TestWriteBackOfRandomChanges(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack)
	want := m.randomChanges("f", 7)
	m.drained()
	require.Equal(t, map[string]string{"f": want}, m.atService())
}

// These variables make TestMountChild the process to kill.
const (
	childURL  = "MEDIA_TEST_MOUNT_URL"
	childHome = "MEDIA_TEST_MOUNT_HOME"
	childUser = "MEDIA_TEST_MOUNT_USER"
	childKey  = "MEDIA_TEST_MOUNT_KEY"
	childMode = "MEDIA_TEST_MOUNT_MODE" // names in childModes, separated by blanks
)

var childModes = map[string]func(*media.Options){"write-back": writeBack, "delete": deleting}

// TestKilledMount kills the mount's process while programs write, and checks that each file whose
// close succeeded is on the service after the next mount.
func TestKilledMount(t *testing.T) {
	t.Parallel()
	fixture := servicetest.Start(t)
	m := newMountOn(t, fixture, writeBack)
	m.stop()
	for round := range 3 {
		if round == 1 {
			m.proxy.Down()
		}
		child := m.startChild(fixture, "write-back")
		script := m.command(fmt.Sprintf(`cd media && mkdir d%[1]d && for i in $(seq 1000); do echo %[1]d.$i | dd status=none of=d%[1]d/$i || exit; echo $i; done`, round))
		out, err := script.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, script.Start())
		lines, closed := bufio.NewScanner(out), 0
		for stop := 5 + rand.IntN(40); lines.Scan(); {
			if closed++; closed == stop {
				require.NoError(t, child.Process.Kill())
				_ = mountpoint.Detach(m.dir)
			}
		}
		_ = script.Wait() // fails because the mount was killed
		_ = child.Wait()
		if round == 1 {
			m.proxy.Up()
		}
		m.start()
		m.drained()
		held := m.atService()
		for i := 1; i <= closed; i++ {
			require.Equal(t, sum(fmt.Sprintf("%d.%d\n", round, i)), held[fmt.Sprintf("d%d/%d", round, i)], "round %d, file %d of %d", round, i, closed)
		}
		m.stop()
	}
}

// startChild mounts in a child process.
func (m *mount) startChild(f *servicetest.Fixture, mode string) *exec.Cmd {
	child := programtest.Command(m.t, 0, os.Args[0], "-test.run=^TestMountChild$")
	child.Env = append(os.Environ(), childURL+"="+m.proxy.URL, childHome+"="+m.home, childUser+"="+f.Username, childKey+"="+f.Password, childMode+"="+mode)
	out, err := child.StdoutPipe()
	require.NoError(m.t, err)
	_, err = child.StdinPipe() // the child exits at the end of its input
	require.NoError(m.t, err)
	require.NoError(m.t, child.Start())
	m.t.Cleanup(func() { _ = child.Process.Kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "mounted") {
	}
	return child
}

func TestMountChild(t *testing.T) {
	if os.Getenv(childURL) == "" {
		t.Skip("the process that TestKilledMount kills")
	}
	home := os.Getenv(childHome)
	m := &mount{t: t, home: home, dir: filepath.Join(home, "media"), failures: failure.New(nil, nil)}
	for mode := range strings.FieldsSeq(os.Getenv(childMode)) {
		m.options = append(m.options, childModes[mode])
	}
	var err error
	m.client, err = remote.New(remote.Options{BaseURL: os.Getenv(childURL), Username: os.Getenv(childUser), Password: os.Getenv(childKey)})
	require.NoError(t, err)
	t.Cleanup(m.client.Close) // its idle connections would hold up the end of the process
	m.start()
	defer m.stop()
	fmt.Println("mounted")
	time.AfterFunc(4*testrun.Patience(), func() { os.Exit(1) }) // if its test was killed, and its input is still open
	_, _ = io.Copy(io.Discard, os.Stdin)
}

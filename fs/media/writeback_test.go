package media_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/cache/media"
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

// TestAWaitEndsWhileAProgramReads checks that a program which has the file open that a queued close has replaced holds nothing up.
func TestAWaitEndsWhileAProgramReads(t *testing.T) {
	t.Parallel()
	m := newMount(t, writeBack)
	m.sh(`echo one > f`)
	m.drained()
	reader, err := os.Open(filepath.Join(m.dir, "f"))
	require.NoError(t, err)
	defer reader.Close()
	m.sh(`echo two > f`)
	m.store.RetryNow()
	require.Eventually(t, m.store.Idle, testrun.Patience(), time.Millisecond)
	require.Equal(t, map[string]string{"f": sum("two\n")}, m.atService())
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
		t.Skip("the process that TestCrashes kills")
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

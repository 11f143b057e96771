package media_test

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// interrupted starts a program in media/, sends it SIGINT once the service has received a request, and
// waits until it has ended.
func (m *mount) interrupted(asked <-chan struct{}, program string, args ...string) {
	m.t.Helper()
	c := exec.Command(program, args...)
	c.Dir = m.home
	require.NoError(m.t, c.Start())
	<-asked
	require.NoError(m.t, c.Process.Signal(syscall.SIGINT))
	require.Error(m.t, c.Wait())
}

// startScript starts a script. The returned channel gets its output when it has ended.
func (m *mount) startScript(script string) (ended chan string) {
	ended = make(chan string, 1)
	c := m.command("cd media && {\n" + script + "\n}")
	go func() {
		out, err := c.CombinedOutput()
		if err != nil {
			out = append(out, err.Error()...)
		}
		ended <- string(out)
	}()
	return ended
}

// TestLaterOperationsWaitForALateChange checks that a change continues if ^C ends its program after
// the service has received the request. A later operation on the same names waits, and takes effect
// after the change.
func TestLaterOperationsWaitForALateChange(t *testing.T) {
	t.Parallel()
	for change, c := range map[string]struct {
		op     *remote.Operation
		script string
		files  map[string]string
	}{
		"mv .part x": {remote.UploadFile, `cp ../new x`, map[string]string{"x": "new\n", "a": "a\n"}},
		"mv .part y": {remote.UploadFile, `mv -f .other y`, map[string]string{"y": "other\n", "a": "a\n"}},
		"mv a e":     {remote.MoveFile, `cp ../new a && cp ../newer e`, map[string]string{"a": "new\n", "e": "newer\n"}},
		"mv a z":     {remote.MoveFile, `echo more >> z`, map[string]string{"z": "a\nmore\n"}},
		"rm a":       {remote.DeleteFile, `cp ../new a`, map[string]string{"a": "new\n"}},
		"mv a .a":    {remote.DeleteFile, `cp ../new a && cat .a`, map[string]string{"a": "new\n"}},
	} {
		for mode, options := range modesOf(t) {
			t.Run(change+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh(`echo a > a; echo part > .part; echo other > .other; echo new > ../new; echo newer > ../newer; test ! -e x`)
				m.idle()
				if mode == "write-back" && strings.HasPrefix(change, "mv .part") {
					t.Skip("the rename only queues the upload")
				}
				words := strings.Fields(change)
				for i := range words[1:] {
					words[i+1] = "media/" + words[i+1]
				}
				held, release := m.proxy.FreezeAnswer(c.op)
				m.interrupted(held, words[0], words[1:]...)
				ended := m.startScript(c.script)
				m.eventually(func() bool { return m.store.Late() })
				release()
				require.NotContains(t, <-ended, "exit status")
				require.Equal(t, sums(c.files), m.atService())
				m.checkShownAll()
				require.Empty(t, m.store.Failed())
			})
		}
	}
}

// sums returns the SHA-256 of contents, by path.
func sums(files map[string]string) map[string]string {
	of := make(map[string]string, len(files))
	for path, content := range files {
		of[path] = sum(content)
	}
	return of
}

// checkShownAll is checkShown without names that stay on this machine.
func (m *mount) checkShownAll() {
	m.t.Helper()
	shown := map[string]string{}
	for line := range strings.Lines(m.sh(`find . -type f ! -name '.*' -exec sha256sum {} +`)) {
		digest, path, _ := strings.Cut(strings.TrimSpace(line), "  ./")
		shown[path] = digest
	}
	require.Equal(m.t, m.atService(), shown)
}

// TestALateChangeGivesWayToWhatIsWritten checks a program that has the replaced or removed file open
// and writes to it. The written content stays.
func TestALateChangeGivesWayToWhatIsWritten(t *testing.T) {
	t.Parallel()
	for change, c := range map[string]struct {
		op    *remote.Operation
		files map[string]string
	}{
		"mv .part x": {remote.UploadFile, map[string]string{"x": "written\n", "a": "a\n"}},
		"rm x":       {remote.DeleteFile, map[string]string{"x": "written\n", "a": "a\n"}},
	} {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, deleting, withoutMoves)
			m.sh(`echo old > x; echo a > a; echo part > .part`)
			m.idle()
			writer := m.command(`exec perl -e 'open F, "+<", "media/x" or die; $| = 1; print "ready\n"; <STDIN>; truncate F, 0; syswrite F, "written\n"; print "done\n"; close F or die'`)
			in, err := writer.StdinPipe()
			require.NoError(t, err)
			out, err := writer.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, writer.Start())
			_, err = out.Read(make([]byte, 6))
			require.NoError(t, err)
			words := strings.Fields(change)
			for i := range words[1:] {
				words[i+1] = "media/" + words[i+1]
			}
			held, release := m.proxy.FreezeAnswer(c.op)
			m.interrupted(held, words[0], words[1:]...)
			m.eventually(func() bool { return m.store.Late() })
			_, err = in.Write([]byte("\n"))
			require.NoError(t, err)
			_, err = out.Read(make([]byte, 5)) // it has written; its close waits now, or soon
			require.NoError(t, err)
			release()
			require.NoError(t, writer.Wait())
			require.Equal(t, sums(c.files), m.atService())
			require.Equal(t, "written", m.sh(`cat x`))
			m.eventually(func() bool { return !m.store.Late() })
			said := ""
			for _, e := range m.failures.Events() {
				said += e.Message
			}
			require.Contains(t, said, "the interrupted change was given up")
		})
	}
}

// TestARenameThatIsInterruptedBeforeItsEndHasDoneNothing interrupts the rename with ^C while it is
// still sending the content.
func TestARenameThatIsInterruptedBeforeItsEndHasDoneNothing(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`head -c 12000000 /dev/zero > .part; test ! -e x`)
	release := m.proxy.Freeze(remote.UploadFile) // from now on it accepts only what fits into buffers
	arrived := make(chan struct{})
	m.proxy.Reset()
	go func() {
		m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) > 0 })
		close(arrived)
	}()
	m.interrupted(arrived, "mv", "media/.part", "media/x")
	m.sh(`test -e .part && test ! -e x`)
	release()
	require.Empty(t, m.atService())
	m.sh(`test -e .part && test ! -e x`)
	require.Empty(t, m.failures.Events())
	m.sh(`mv .part x`)
	require.Contains(t, m.atService(), "x")
}

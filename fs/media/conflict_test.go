package media_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// looking has the tree read before each change that must not overlook others.
func looking(o *media.Options) { o.StrictTTL = -1 }

// theirs uploads content under a name, as a colleague does.
func (m *mount) theirs(name, content string) {
	m.t.Helper()
	_, err := m.client.UploadFile(m.t.Context(), 0, name, bytesContent(content))
	require.NoError(m.t, err)
}

// paused starts a script in media/ that prints a line when it waits for others, and goes on when it
// reads one.
func (m *mount) paused(script string) (goOn func() (out string, err error)) {
	m.t.Helper()
	c := m.command("cd media && " + pause + script)
	in, err := c.StdinPipe()
	require.NoError(m.t, err)
	out, err := c.StdoutPipe()
	require.NoError(m.t, err)
	said := new(strings.Builder)
	c.Stderr = said
	require.NoError(m.t, c.Start())
	_, err = io.ReadFull(out, make([]byte, len("ready\n")))
	require.NoError(m.t, err)
	return func() (string, error) {
		_, err := in.Write([]byte("\n"))
		require.NoError(m.t, err)
		rest, err := io.ReadAll(out)
		require.NoError(m.t, err)
		err = c.Wait()
		return string(rest) + said.String(), err
	}
}

// TestAColleaguesVersionIsNeverOverwrittenUnseen checks each way to write a file that a colleague
// uploads in the meantime: the close says so, the name shows the colleague's version, and failed/ has
// the other.
func TestAColleaguesVersionIsNeverOverwrittenUnseen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, mine string }{
		"a new name":            {`perl -e 'open F, ">", "f" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`, "mine"},
		"emptied and written":   {`printf old > f; perl -e 'open F, ">", "f" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`, "mine"},
		"changed in its middle": {`printf old > f; perl -e 'open F, "+<", "f" or die; syswrite F, "m"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`, "mld"},
		"appended to":           {`printf old > f; perl -e 'open F, ">>", "f" or die; syswrite F, "!"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`, "old!"},
		"truncated":             {`printf old > f; perl -e 'open F, "+<", "f" or die; truncate F, 1; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`, "o"},
		"copied over":           {`printf old > f; printf mine > ../mine; perl -e 'open F, ">", "f" or die; syswrite F, "mi"; $| = 1; print "ready\n"; <STDIN>; syswrite F, "ne"; close F or die $!'`, "mine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, looking)
			goOn := m.paused(c.script)
			m.theirs("f", "theirs")
			said, err := goOn()
			require.Error(t, err)
			require.Contains(t, said, "Stale file handle")
			m.eventually(func() bool { return len(m.store.Failed()) == 1 }) // the kernel sends the RELEASE after the close
			require.Equal(t, c.mine, m.content(m.store.Failed()[0].Name))
			require.Equal(t, "theirs", m.sh(`cat f`))
			require.Equal(t, map[string]string{"f": sum("theirs")}, m.atService())
			last, told := m.failures.Last("media/f")
			require.True(t, told, "%v", m.failures.Events())
			require.Contains(t, last.Message, "somebody else has changed it")
		})
	}
}

// TestAnEditorPutsNoBackupOverAColleaguesVersion checks programs that put a backup of the version before
// in the place of the file when their close fails, as vim does.
func TestAnEditorPutsNoBackupOverAColleaguesVersion(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		for name, restore := range map[string]string{"copies": `cp f~ f`, "copies over": `dd if=f~ of=f conv=notrunc`, "renames": `mv -f f~ f`, "removes": `rm -f f && mv f~ f`} {
			t.Run(mode+", "+name, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, append([]func(*media.Options){looking, func(o *media.Options) { o.AllowDelete = true }}, options...)...)
				m.sh(`printf old > f; printf old > f~`)
				m.drained()
				goOn := m.paused(`perl -e 'open F, ">", "f" or die; syswrite F, "mine"; $| = 1; print "ready\n"; <STDIN>; close F or system "` + restore + `"'`)
				m.theirs("f", "theirs")
				require.NoError(t, m.store.Refresh(t.Context()))
				said, err := goOn()
				require.NoError(t, err)
				require.Contains(t, said, "usy")
				m.settled()
				m.drained()
				require.Equal(t, map[string]string{"f": sum("theirs")}, m.atService())
				m.eventually(func() bool { return m.sh(`cat f`) == "theirs" })
				require.Equal(t, "mine", m.content("f"))
			})
		}
	}
}

// TestAppendingGoesToTheNewestVersion checks that >> sees what a colleague uploaded a moment before,
// for one conditional request.
func TestAppendingGoesToTheNewestVersion(t *testing.T) {
	t.Parallel()
	m := newMount(t, looking)
	m.sh(`printf old > f; cat f`)
	m.theirs("f", "theirs")
	m.sh(`printf mine >> f`)
	require.Equal(t, map[string]string{"f": sum("theirsmine")}, m.atService())
	require.Empty(t, m.store.Failed())
}

// TestARenameOverAVersionThatWasNotShown checks that mv of a temporary file replaces what its name
// shows, and nothing else.
func TestARenameOverAVersionThatWasNotShown(t *testing.T) {
	t.Parallel()
	clock, passes := later()
	m := newMount(t, looking, clock)
	m.sh(`printf old > f; printf mine > .f.tmp`)
	m.theirs("f", "theirs")
	require.Contains(t, m.fails(`mv -f .f.tmp f`), "busy")
	m.eventually(func() bool { return m.sh(`cat f`) == "theirs" }) // the kernel hears of it once the rename has ended
	require.Equal(t, "mine", m.sh(`cat .f.tmp`))
	passes(5 * time.Second)
	m.sh(`mv -f .f.tmp f`)
	require.Equal(t, map[string]string{"f": sum("mine")}, m.atService())
}

// TestQueuedContentReplacesNoVersionThatCameLater checks the queue, also of the next mount.
func TestQueuedContentReplacesNoVersionThatCameLater(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		t.Run(fmt.Sprint("restart ", restart), func(t *testing.T) {
			t.Parallel()
			fixture := servicetest.Start(t)
			m := newMountOn(t, fixture, looking, writeBack)
			m.sh(`printf old > f`)
			m.drained()
			m.proxy.Down()
			m.sh(`printf mine > f; printf new > g`)
			if restart {
				m.remount()
			}
			colleague, err := remote.New(remote.Options{BaseURL: fixture.URL, Username: fixture.Username, Password: fixture.Password})
			require.NoError(t, err)
			t.Cleanup(colleague.Close)
			for name, content := range map[string]string{"f": "theirs", "g": "other"} {
				_, err := colleague.UploadFile(t.Context(), 0, name, bytesContent(content))
				require.NoError(t, err)
			}
			m.proxy.Up()
			m.drained()
			m.eventually(func() bool { return len(m.store.Failed()) == 2 })
			require.Equal(t, map[string]string{"f": sum("theirs"), "g": sum("other")}, m.atService())
			require.Equal(t, "theirs other", m.sh(`cat f; printf ' '; cat g`))
		})
	}
}

// TestTheSameContentIsNoConflict checks two people who copy the same file.
func TestTheSameContentIsNoConflict(t *testing.T) {
	t.Parallel()
	for _, theirs := range []string{"same", "sama"} { // other content of the same size is one
		m := newMount(t, looking)
		goOn := m.paused(`perl -e 'open F, ">", "f" or die; syswrite F, "same"; $| = 1; print "ready\n"; <STDIN>; close F or die $!'`)
		m.theirs("f", theirs)
		_, err := goOn()
		require.Equal(t, theirs == "same", err == nil, "a close over %q: %v", theirs, err)
		require.Equal(t, map[string]string{"f": sum(theirs)}, m.atService())
		require.Equal(t, err == nil, len(m.store.Failed()) == 0)
	}
}

// TestEachCloseAfterAConflictFails checks a shell that keeps its descriptor.
func TestEachCloseAfterAConflictFails(t *testing.T) {
	t.Parallel()
	m := newMount(t, looking)
	goOn := m.paused(`printf old > f; python3 -c '
import os
f = os.open("f", os.O_WRONLY | os.O_TRUNC)
def write(text):
    os.write(f, text)
    try: os.close(os.dup(f))
    except OSError as e: print(e.strerror)
write(b"one ")
print("ready", flush=True); input()
write(b"two ")
write(b"three")
os.close(f)' || true; cat f`)
	m.theirs("f", "theirs")
	said, err := goOn()
	require.NoError(t, err)
	require.Contains(t, said, "theirs")
	require.Equal(t, 3, strings.Count(said, "Stale file handle"), said)
	m.eventually(func() bool { return len(m.store.Failed()) == 1 })
	require.Equal(t, "one two three", m.content(m.store.Failed()[0].Name))
}

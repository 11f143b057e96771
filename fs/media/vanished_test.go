package media_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote/testrun"
)

// colleagueRemoves removes directories with their files as a colleague does, and refreshes the mount.
// ids are the service's ids by path.
func (m *mount) colleagueRemoves(ids map[string]int64, dirs ...string) {
	m.t.Helper()
	for _, dir := range dirs {
		for path, id := range ids {
			if strings.HasPrefix(path, dir) && !strings.HasSuffix(path, "/") {
				require.NoError(m.t, m.client.DeleteFile(m.t.Context(), id))
			}
		}
		require.NoError(m.t, m.client.DeleteDirectory(m.t.Context(), ids[dir]))
	}
	require.NoError(m.t, m.store.Refresh(m.t.Context()))
}

// modes are the mode in which a close publishes, and the mode in which it queues.
var modes = map[string][]func(*media.Options){"direct": {deleting}, "write-back": {deleting, writeBack}}

// modesOf returns the modes in which a test runs. It is one in the short run, the other one for about every second test.
func modesOf(t *testing.T) map[string][]func(*media.Options) {
	if testrun.All() {
		return modes
	}
	mode := []string{"direct", "write-back"}[len(t.Name())%2]
	return map[string][]func(*media.Options){mode: modes[mode]}
}

// TestADirectoryThatOthersDelete checks that local files keep the directory visible, and that a later
// close of a file in it creates it again on the service.
func TestADirectoryThatOthersDelete(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			// Not parallel: a process that another test forks holds the state's lock for a moment,
			// and then the remount would fail.
			m := newMount(t, options...)
			m.sh(`mkdir d e && echo old > d/f && echo s > d/.s && echo s > e/.s`)
			ids := m.ids()
			// A program has a file open in e.
			open := m.command(`perl -e 'open F, ">", "media/e/open" or die; syswrite F, "first\n"; $| = 1; print "ready\n"; <STDIN>; syswrite F, "second\n"; close F or die'`)
			in, err := open.StdinPipe()
			require.NoError(t, err)
			out, err := open.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, open.Start())
			_, err = out.Read(make([]byte, 6))
			require.NoError(t, err)

			m.colleagueRemoves(ids, "d/", "e/")
			require.Equal(t, ".s", m.sh(`test ! -e d/f && ls -A d`))
			m.sh(`echo new > d/n && mkdir d/sub && echo below > d/sub/n`)
			_, err = in.Write([]byte("\n"))
			require.NoError(t, err)
			require.NoError(t, open.Wait())
			require.Equal(t, map[string]string{"d/n": sum("new\n"), "d/sub/n": sum("below\n"), "e/open": sum("first\nsecond\n")}, m.atService())
			require.Equal(t, "s\ns", m.sh(`cat d/.s e/.s`))
			require.Empty(t, m.store.Failed())
			m.remount()
			require.Equal(t, "new\nbelow\ns", m.sh(`cat d/n d/sub/n d/.s`))
		})
	}
}

// TestADirectoryThatComesBack checks that, after others have created the directory again, the mount
// shows their files next to the local ones.
func TestADirectoryThatComesBack(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, options...)
			m.sh(`mkdir d && echo old > d/f && echo s > d/.s`)
			m.colleagueRemoves(m.ids(), "d/")
			m.sh(`ls d`)
			id, err := m.client.CreateDirectory(t.Context(), 0, "d")
			require.NoError(t, err)
			_, err = m.client.UploadFile(t.Context(), id, "theirs", bytesContent("theirs\n"))
			require.NoError(t, err)
			require.NoError(t, m.store.Refresh(t.Context()))
			m.eventually(func() bool { return m.sh(`ls d`) == "theirs" })
			m.sh(`echo new > d/n && cat d/theirs d/.s`)
			require.Equal(t, map[string]string{"d/n": sum("new\n"), "d/theirs": sum("theirs\n")}, m.atService())
			require.Equal(t, id, m.ids()["d/"])
		})
	}
}

// TestADirectoryThatNothingKeeps checks that a directory that the service no longer has disappears
// for good once it has no local files. Empty directories above it disappear too.
func TestADirectoryThatNothingKeeps(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, options...)
			m.sh(`mkdir d d/sub e && echo s > d/sub/.s && echo s > e/.s`)
			m.idle()
			m.colleagueRemoves(m.ids(), "d/sub/", "d/", "e/")
			m.sh(`test -f d/sub/.s && test -f e/.s`)
			m.sh(`rm d/sub/.s && test -d d/sub`)
			require.NoError(t, m.store.Refresh(t.Context()))
			m.eventually(func() bool { return m.sh(`ls`) == "e" })
			m.remount()
			require.NoError(t, m.store.Refresh(t.Context()))
			require.Equal(t, "e", m.sh(`ls`))

			// A remount between the removal of the last file and the refresh makes no difference.
			m.sh(`rm e/.s`)
			m.remount()
			require.NoError(t, m.store.Refresh(t.Context()))
			m.eventually(func() bool { return m.sh(`ls`) == "" })
			m.remount()
			require.Empty(t, m.sh(`ls`))
			m.sh(`mkdir d && echo again > d/f`)
			require.Equal(t, map[string]string{"d/f": sum("again\n")}, m.atService())
		})
	}
}

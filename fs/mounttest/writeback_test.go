package mounttest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

func TestWriteBackQueuesAndSendsBehind(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	release := m.proxy.Freeze(remote.CreateDirectory) // its files wait for it
	m.sh(`mkdir media/d && for i in 1 2 3; do echo "$i" > media/d/$i; done && cat media/d/2 && mv media/d/3 media/d/three`)
	release()
	m.sh(`"$PAPERFS" wait .`)
	assert.Equal(t, map[string]string{"d/1": sum("1\n"), "d/2": sum("2\n"), "d/three": sum("3\n")}, m.atService())
}

func TestWhatIsRefusedOrDiscardedIsInFailed(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.sh(`echo one > media/one`)
	said := m.sh(`"$PAPERFS" wait . 2>&1 || test $? = 19`)
	assert.Contains(t, said, "/media/one, now .paperfs/failed/one: ")
	assert.Contains(t, said, "No room.")
	assert.Contains(t, m.sh(`cat .paperfs/uploads`), "No room.")
	m.fails(`test -e media/one`)
	m.fails(`"$PAPERFS" retry media/one`)
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry media/one && cat media/one`)
	assert.Equal(t, map[string]string{"one": sum("one\n")}, m.atService())

	m.unavailable(remote.UploadFile) // discard would wait for the answer to a completely sent upload
	m.sh(`echo two > media/two && "$PAPERFS" discard media/two`)
	m.proxy.Heal()
	assert.Equal(t, "two", m.sh(`ls .paperfs/failed`))
	m.sh(`"$PAPERFS" discard media/two && test -z "$(ls .paperfs/failed)"`)
}

// TestDamagedQueuedContentIsNotPublished checks queued content whose bytes changed, but not its
// length: it goes to failed/ with the reason, and nothing of it reaches the service.
func TestDamagedQueuedContentIsNotPublished(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100 << 10, 3 << 20} { // smaller content is also in the database
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			m := newMount(t, "--write-back")
			m.sh(`ls media`)
			m.proxy.Down()
			m.sh(fmt.Sprintf(`head -c %d /dev/urandom > media/a`, size))
			m.crash() // a mount that has read it once may send what it has read
			m.damage(filepath.Join(m.spool(), "*"))
			m.proxy.Up()
			m.start("--write-back")
			m.sh(`"$PAPERFS" retry . || :; "$PAPERFS" wait . || :`) // wait fails only if the upload fails after it began
			assert.Empty(t, m.atService())
			m.sh(`test -e .paperfs/failed/a && ! test -e media/a`)
			assert.Contains(t, m.sh(`"$PAPERFS" why media/a`), "not what was written")
		})
	}
}

// damage changes bytes in the middle of the only file of this pattern.
func (m *mounted) damage(pattern string) {
	m.t.Helper()
	files := testrun.Must(filepath.Glob(pattern))(m.t)
	require.Len(m.t, files, 1)
	f := testrun.Must(os.OpenFile(files[0], os.O_WRONLY, 0))(m.t)
	defer f.Close()
	testrun.Must(f.WriteAt([]byte("damage"), 5000))(m.t)
}

// TestQueuedContentThatTheDiskHasLost checks that content lost completely appears as an empty entry
// of failed/, which stays until the user removes it.
func TestQueuedContentThatTheDiskHasLost(t *testing.T) {
	t.Parallel()
	m := newDrops(t, "--write-back")
	m.sh(`set -e; mkdir papers/C/Y.paper; ls media`)
	m.proxy.Down()
	m.sh(`set -e; cp "$HOME/two.pdf" papers/C/X.pdf; cp "$HOME/one.pdf" papers/C/Y.paper/source.pdf; head -c 1M /dev/zero > media/large; cp "$HOME/two.pdf" papers/C/Z.pdf; rm papers/C/Z.pdf`)
	m.crash()
	removed := programtest.Command(t, testrun.Patience(), "bash", "-c", `find "$1" -path "*/spool/*" -type f -delete`, "bash", m.home+"/state") // bash, because the mount that sh uses has ended
	require.NoError(t, removed.Run())
	m.proxy.Reset()
	m.proxy.Up()
	m.start("--write-back")
	m.eventually(`test -d papers/C`)
	lost := map[string]string{"papers/C/X.pdf": "X.pdf", "papers/C/Y.paper/source.pdf": "source.pdf", "media/large": "large"}
	told := func() {
		require.Equal(t, "X.pdf\nlarge\nsource.pdf", strings.TrimSpace(m.sh(`LC_ALL=C ls .paperfs/failed`)))
		for place, name := range lost {
			assert.Regexp(t, "0 of its [0-9]+ bytes were found", m.sh(`"$PAPERFS" why `+place), place)
			assert.Contains(t, m.sh(`"$PAPERFS" status .`), "failed:    "+place+", now .paperfs/failed/"+name+": 0 of its ", place)
			assert.Contains(t, m.fails(`"$PAPERFS" wait .`), place)
			m.sh(`test ! -s .paperfs/failed/` + name)
			assert.Contains(t, m.fails(`"$PAPERFS" retry `+place), "nothing is left", place)
		}
		m.fails(`"$PAPERFS" retry .paperfs/failed`)
	}
	told()
	m.remount("--write-back")
	m.eventually(`test -d papers/C`)
	told()
	for _, op := range []*remote.Operation{remote.CreatePaper, remote.ProcessPDF, remote.UploadFile} {
		assert.Zero(t, m.proxy.Count(op), op.Name)
	}
	m.sh(`set -e; for f in .paperfs/failed/*; do "$PAPERFS" discard "$f"; done; "$PAPERFS" wait .`)
	m.remount("--write-back")
	m.sh(`test -z "$(ls .paperfs/failed)"`)
}

// TestARemovalOutlivesAKill kills the mount right after programs have removed names that exist only
// on this machine. The next mounts show none of them, and everything that was not removed.
func TestARemovalOutlivesAKill(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, gesture, after string }{
		"a file":                {`echo content > .x`, `rm .x`, `.kept: kept`},
		"names without content": {`: > .empty; ln -s target .link; mkdir .dir`, `rm .empty .link; rmdir .dir`, `.kept: kept`},
		"a tree":                {`mkdir -p .d/1/2/3; echo a > .d/1/a; echo b > .d/1/2/3/b; ln -s a .d/1/link`, `rm -r .d`, `.kept: kept`},
		"one of two links":      {`echo linked > .a; ln .a .b`, `rm .a`, `.b: linked .kept: kept`},
		"both links":            {`echo linked > .a; ln .a .b`, `rm .a .b`, `.kept: kept`},
		"new names":             {`:`, `echo content > .x; ln .x .y; mkdir .d; mv .x .d; rm .y; rm -r .d`, `.kept: kept`},
		"moved names":           {`mkdir .d .e; echo content > .d/x`, `mv .d/x .e/y; rmdir .d; rm -r .e`, `.kept: kept`},
		"an open file":          {`echo content > .x`, `exec 5<> .x; rm .x; echo more >&5`, `.kept: kept`},
		"a replaced file":       {`echo old > .x; echo new > .y`, `mv .y .x`, `.kept: kept .x: new`},
		"a reused name":         {`echo old > .x`, `rm .x; echo new > .x; sync .x`, `.kept: kept .x: new`},
	} {
		t.Run(name, func(t *testing.T) {
			if !slices.Contains([]string{"a tree", "one of two links", "an open file", "a reused name", "moved names"}, name) {
				testrun.Long(t, "kills the mount after another removal")
			}
			m := newMount(t)
			m.sh(`cd media; ` + c.before + `; echo kept > .kept; sync .kept .`)
			m.killAfter(`cd media; ` + c.gesture)
			m.start()
			m.crash() // before the mount has written much
			m.start()
			const look = `cd media; for f in .[a-z]*; do test -f $f && echo "$f: $(cat $f)" || echo $f; done | paste -sd' '; ls ../.paperfs/failed`
			require.Equal(t, c.after, m.sh(look))
			m.sh(`cd media; echo more > .more; sync .more`) // its inode number must not be that of a removed name
			m.crash()
			m.start()
			require.Equal(t, "more", m.sh(`cat media/.more`))
		})
	}
}

// killAfter runs a script in the mount and kills the mount right after it.
func (m *mounted) killAfter(script string) {
	m.t.Helper()
	m.sh(fmt.Sprintf("set -e; %s; kill -KILL %d", script, m.process.Process.Pid))
	<-m.exited
	m.detach()
}

// TestARemovedDirectoryIsNotSent removes a queued directory and kills the mount.
func TestARemovedDirectoryIsNotSent(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.proxy.Fail(remote.CreateDirectory, -1, http.StatusUnauthorized)
	m.sh(`mkdir media/gone`)
	m.eventually(`grep -q 401 .paperfs/errors`)
	m.killAfter(`rmdir media/gone`)
	m.proxy.Heal()
	m.start("--write-back")
	m.sh(`"$PAPERFS" wait .; ! test -e media/gone`)
	require.Empty(t, testrun.Must(m.client().GetTree(t.Context()))(t).Dirs)
}

package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestQueuedContentThatTheDiskHasLost checks that content lost completely appears as an empty entry
// of failed/, which stays until the user removes it.
func TestQueuedContentThatTheDiskHasLost(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.drops(t)
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

package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAPaperWhosePDFIsBeingProcessedIsBusy checks what rmdir says.
func TestAPaperWhosePDFIsBeingProcessedIsBusy(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/X.paper`)
	m.refuse(remote.DeletePaper, `<result><code>ERROR</code><message>No.</message></result>`)
	assert.Contains(t, m.fails(`rmdir papers/X.paper`), "Input/output", "nothing is known of why")
	m.refuse(remote.GetProcessingPapers, `<result><code>SUCCESS</code><message></message><data><processes><process created="2031-02-11 16:39:50" paper-id="`+m.sh(`cat papers/X.paper/id`)+`" progress="35" /></processes></data></result>`)
	assert.Contains(t, m.fails(`rmdir papers/X.paper`), "busy")
	assert.Contains(t, m.sh(`tail -1 .paperfs/errors`), "its PDF is being processed: wait until that has ended")
}

// TestMovesBelowThemselves checks categories and directories that others have moved below each other meanwhile.
func TestMovesBelowThemselves(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	refused := "subdirectory of itself|No such file" // mv tries twice: by then the mount may know that the other one was moved
	m.sh(`mkdir papers/A papers/B media/a media/b`)
	require.NoError(t, m.client().MovePaper(t.Context(), m.idOf("papers/B"), m.idOf("papers/A")))
	assert.Regexp(t, refused, m.fails(`mv -T papers/A papers/B/A`))
	tree := testrun.Must(m.client().GetTree(t.Context()))(t)
	require.NoError(t, m.client().MoveDirectory(t.Context(), tree.Dirs[1].ID, tree.Dirs[0].ID, "b", false))
	assert.Regexp(t, refused, m.fails(`mv -T media/a media/b/a`))
}

// TestChangesInWhatOthersDeleted checks the errors of changes in a directory or category that is not there any more.
func TestChangesInWhatOthersDeleted(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		`mkdir media/a/new`, `mv media/d media/a/d`, `mv media/f media/a/f`,
		`mkdir papers/A/new`, `mkdir papers/A/new.paper`, `mv -T papers/D papers/A/D`,
	} {
		t.Run(script, func(t *testing.T) {
			if script == `mkdir papers/A/new` || script == `mv media/d media/a/d` {
				testrun.Long(t, "fails as others do")
			}
			t.Parallel()
			m := newMount(t, "--allow-delete")
			m.sh(`mkdir papers/A papers/D media/a media/d; echo one > media/f`)
			require.NoError(t, m.client().DeletePaper(t.Context(), m.idOf("papers/A")))
			tree := testrun.Must(m.client().GetTree(t.Context()))(t)
			require.NoError(t, m.client().DeleteDirectory(t.Context(), tree.Dirs[0].ID))
			assert.Contains(t, m.fails(script), "No such file", m.sh(`tail -1 .paperfs/errors`))
		})
	}
}

// TestFailuresOfWhatWasRemoved checks that a failure of a removed file has the path by which the
// file was opened, from the mount's root.
func TestFailuresOfWhatWasRemoved(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newDrops(t, "--allow-delete")
	m.sh(`mkdir papers/C/X.paper media/d`)
	m.sh(`exec 3> papers/C/X.paper/publication; rmdir papers/C/X.paper; ! echo 2027 >&3`)
	assert.Contains(t, m.sh(`cat .paperfs/errors`), " write papers/C/X.paper/publication ")
	tooLong := func(path, remove, told string) {
		m.sh(`python3 -c '
import os, subprocess
f = os.open("` + path + `", os.O_RDWR | os.O_CREAT)
os.write(f, b"x")
subprocess.run(["bash", "-ec", "` + remove + `"], check=True)
try:
    os.ftruncate(f, 1 << 60)
    raise SystemExit("no failure")
except OSError as e:
    print(e)'`)
		assert.Contains(t, m.sh(`cat .paperfs/errors`), " "+told+" ", path)
	}
	tooLong("media/d/x.part", "rm media/d/x.part", "media/d/x.part")
	tooLong("media/d/y.part", "mv media/d/y.part media/d/z.part; echo > media/d/o.part; mv media/d/o.part media/d/z.part", "media/d/z.part")
	tooLong("papers/C/x.part", "rm papers/C/x.part", "papers/C/x.part")
	tooLong("papers/D/Y.pdf", "rm papers/D/Y.pdf", "papers/D/Y.pdf")
	tooLong("papers/D/Z.pdf", "cp $HOME/one.pdf papers/D/z.part; mv papers/D/z.part papers/D/Z.pdf", "papers/D/Z.pdf")
}

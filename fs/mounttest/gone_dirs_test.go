package mounttest

import (
	"strings"
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

// TestARefusedRenameIsToldByBothNames checks what mv and why say of a rename that is refused: why knows it by the name
// that was to be the new one, too, and where an address is taken, mv does not speak of a file in the way.
func TestARefusedRenameIsToldByBothNames(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/R1 papers/R2 papers/R1/y.paper; echo a > media/a; echo b > media/b`)
	testrun.Must(m.client().CreatePaper(t.Context(), remote.Node{ID: m.idOf("papers/R2"), URL: "/r2/"}, "Other", "y"))(t)
	m.sh(fetched)
	assert.Regexp(t, `cannot move .*: Address already in use`, m.fails(`mv papers/R1/y.paper papers/R2/`))
	for gesture, words := range map[[2]string]string{
		{"papers/R1/y.paper", "papers/R2/y.paper"}:           `rename /papers/R1/y.paper to /papers/R2/y.paper failed with EADDRINUSE.*: /r2/y/ belongs to another node; change .*echo NEW > NAME.paper/url`,
		{"papers/R1/y.paper", "media/y.paper"}:               `rename /papers/R1/y.paper to /media/y.paper failed with EOPNOTSUPP: .*papers/`,
		{"papers/R1/y.paper/id", "papers/R1/new"}:            `rename /papers/R1/y.paper/id to /papers/R1/new failed with EOPNOTSUPP: .*generated`,
		{"papers/R1/y.paper/settings", "papers/R1/settings"}: `rename /papers/R1/y.paper/settings to /papers/R1/settings failed with EOPNOTSUPP: .*generated`,
		{"media/a", "papers/R1/a"}:                           `rename /media/a to /papers/R1/a failed with EOPNOTSUPP: .*copy it with cp`,
	} {
		m.fails(`python3 -c 'import os, sys; os.rename(*sys.argv[1:])' ` + gesture[0] + ` ` + gesture[1])
		for _, path := range gesture {
			assert.Regexp(t, words, m.sh(`"$PAPERFS" why `+path), path)
		}
	}
}

// TestWhyTellsOfThePathItself checks that why of a file in a paper tells nothing of the paper's, and the other way round.
func TestWhyTellsOfThePathItself(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/X.paper papers/C papers/C/Y.paper; cat papers/X.paper/id papers/X.paper/url`)
	assert.Regexp(t, `^no failure of papers/X.paper/id is known$`, m.sh(`"$PAPERFS" why papers/X.paper/id`))
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/X.paper`), "public at once")
	m.fails(`echo "not a period" > papers/X.paper/publication`)
	assert.NotContains(t, m.sh(`"$PAPERFS" why papers/X.paper`), "not a period", "nobody asks for publication")
	m.fails(`rm papers/X.paper/id`)
	assert.Regexp(t, `^[^;]* rm /papers/X.paper failed with EPERM: .*rmdir papers/X.paper$`, m.sh(`"$PAPERFS" why papers/X.paper/id`))
	m.fails(`rmdir papers/C`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C`), "rmdir /papers/C failed with ENOTEMPTY")
}

// TestWhyOfARefusedMoveTellsOfNoPDF checks that why says only of content that was not published where it is kept: an older PDF
// in .paperfs/failed is not what a refused mv or rm -r is about.
func TestWhyOfARefusedMoveTellsOfNoPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("a.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/C papers/C/X.paper`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/a.pdf" papers/C/X.paper/source.pdf`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X.paper`), "its content is in .paperfs/failed/source.pdf")
	for gesture, words := range map[string]string{
		`mv papers/C/X.paper media/`: "rename /papers/C/X.paper to /media/X.paper failed",
		`rm -r papers/C/X.paper`:     "rm /papers/C/X.paper failed",
	} {
		m.fails(gesture)
		why := m.sh(`"$PAPERFS" why papers/C/X.paper`)
		assert.Contains(t, why, words)
		assert.NotContains(t, why, ".paperfs/failed")
	}
}

// TestWhyRmDeletesNoPaper checks that, after rm -r of a paper, why of each of its files names the
// rmdir that deletes the paper, and that this works.
func TestWhyRmDeletesNoPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/A "papers/A/X y.paper"; ls papers/A/X*/settings`)
	m.fails(`rm -r "papers/A/X y.paper"`)
	for _, name := range []string{"id", "structure.xml", "settings/$(ls papers/A/X*/settings | head -1)"} {
		assert.Contains(t, m.sh(`"$PAPERFS" why "papers/A/X y.paper/`+name+`"`), "run: rmdir 'papers/A/X y.paper'", name)
	}
	assert.Regexp(t, `run: rmdir 'papers/A/X y.paper'$`, m.sh(`"$PAPERFS" why "papers/A/X y.paper"`))
	m.sh(`rmdir 'papers/A/X y.paper'; test -z "$(ls papers/A)"`)
}

// TestRmRIsOneFailureAPaper checks that rm -r of papers, which asks to remove each of their files, is one line of the log
// and one entry of errors a paper, also with two at once.
func TestRmRIsOneFailureAPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/A papers/A/X.paper papers/A/Y.paper; ls -R papers > /dev/null`)
	m.fails(`rm -r papers/A/X.paper & rm -r papers/A/Y.paper; wait $!`)
	for _, paper := range []string{"X", "Y"} {
		told := m.sh(`grep " papers/A/` + paper + `.paper" .paperfs/errors`)
		assert.Equal(t, 1, strings.Count(told, "\n")+1, told)
		assert.Contains(t, told, "run: rmdir papers/A/"+paper+".paper")
		assert.Equal(t, 1, strings.Count(m.stderr.String(), "path=papers/A/"+paper+".paper"), "lines of the log")
	}
	assert.Equal(t, "2", m.sh(`wc -l < .paperfs/errors`))
}

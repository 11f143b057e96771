package mounttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// reading has a PDF open and mapped while a script replaces it. Then it reads again: the name has the
// new PDF, and what is open has it too if it is written there, else the old one, whole.
const reading = `import mmap, os, subprocess, sys
name, script, new, here = sys.argv[1:]
want = open(new, "rb").read()
f = os.open(name, os.O_RDONLY)
m = mmap.mmap(f, 0, mmap.MAP_SHARED, mmap.PROT_READ)
before = os.pread(f, 1 << 20, 0)
assert before != want and m[:] == before
subprocess.run(["bash", "-ec", script], check=True)
kept = want if here else before
for what, got, wanted in ("descriptor", os.pread(f, 1 << 20, 0), kept), ("mapping", m[:], kept), ("name", open(name, "rb").read(), want):
    assert got in (before, want), what + " has neither PDF"
    assert got == wanted, what + " has the other PDF"
shown, held = os.stat(name), os.fstat(f)
assert (shown.st_ino == held.st_ino) == bool(here), "an inode has two PDFs, or one PDF two"
assert held.st_size == len(kept)
if not here:
    os.utime(f, (1, 1))
    assert os.stat(name).st_mtime == 1700000000, "the time of the old inode is that of the new PDF"
`

// TestAPDFThatIsReplacedByOneOfItsSizeAndTime replaces a PDF that a program has open: no attribute
// that the kernel sees distinguishes the two.
func TestAPDFThatIsReplacedByOneOfItsSizeAndTime(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	testrun.Program(t, "rsync")
	for name, c := range map[string]struct{ way, here string }{
		"in place":            {`cp -p "$HOME/b.pdf" X.pdf`, "here"},
		"by the other name":   {`cp -p "$HOME/b.pdf" X.paper/source.pdf`, "here"},
		"by a temporary name": {`cp -p "$HOME/b.pdf" .X.part; mv .X.part X.pdf`, "''"},
		"by rsync":            {`rsync -aI "$HOME/b.pdf" X.pdf`, "''"},
		"queued":              {`cp -p "$HOME/b.pdf" X.pdf; "$PAPERFS" wait ../..`, "here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var flags []string
			if name == "queued" {
				flags = append(flags, "--write-back")
			}
			m := newMount(t, flags...)
			m.takePDFs()
			m.drops(t)
			m.put("reading.py", []byte(reading))
			m.sh(`cd; cat one.pdf - <<< "%% a" > a.pdf; cat one.pdf - <<< "%% b" > b.pdf; touch -d @1700000000 a.pdf b.pdf`)
			m.sh(`cd papers/C; cp -p "$HOME/a.pdf" X.pdf; "$PAPERFS" wait ../..; cmp "$HOME/a.pdf" X.paper/source.pdf`)
			for _, open := range []string{"X.pdf", "X.paper/source.pdf"} {
				if !testrun.OneWay(name, open == "X.pdf") {
					continue
				}
				m.sh(`cd papers/C; cmp "$HOME/a.pdf" X.pdf; WAY='` + c.way + `'; python3 "$HOME/reading.py" ` + open + ` "$WAY" "$HOME/b.pdf" ` + c.here + `; cmp "$HOME/b.pdf" X.pdf; cmp "$HOME/b.pdf" X.paper/source.pdf`)
				m.sh(`cd papers/C; "$PAPERFS" wait ../..; cp -p "$HOME/a.pdf" X.pdf; "$PAPERFS" wait ../..`)
			}
			require.Equal(t, "1700000000", m.sh(`stat -c %Y papers/C/X.pdf`))
		})
	}
}

// TestReadersOfAPDFThatIsRefused checks that the name shows what was sent before, although a program has the PDF open over which
// another wrote what was refused: that inode is not the name's any more.
func TestReadersOfAPDFThatIsRefused(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.takePDFs()
	m.drops(t)
	m.sh(`cd papers/C; cp "$HOME/two.pdf" X.pdf; "$PAPERFS" wait ../..; seq 99999 > "$HOME/torso.pdf"`)
	for _, way := range []string{
		`! cp "$HOME/no.pdf" X.pdf 2> /dev/null`,
		`! dd if="$HOME/torso.pdf" of=X.pdf conv=notrunc status=none 2> /dev/null`,
		`(ulimit -f 100; trap "" XFSZ; exec > X.pdf; cat "$HOME/torso.pdf"; kill -KILL $BASHPID) 2> /dev/null || true`,
	} {
		m.sh(`seq 9 > "$HOME/no.pdf"; cd papers/C; WAY='` + way + `' python3 -c '
import errno, os, subprocess
want = open(os.environ["HOME"] + "/two.pdf", "rb").read()
f = os.open("X.pdf", os.O_RDONLY)
assert os.pread(f, 100, 0) == want[:100]
subprocess.run(["bash", "-ec", os.environ["WAY"]], check=True)
assert open("X.pdf", "rb").read() == want, "the name shows what was not sent"
assert os.stat("X.pdf").st_ino != os.fstat(f).st_ino, "the name has the inode that was written"
'`)
	}
}

// TestThePDFThatAPaperHasMakesNoJob sends a PDF again, from this mount and from another, which does not know that it is there:
// the job that made the pages stays the last one, and nothing is kept of a replaced PDF. rsync of a folder sends nothing.
func TestThePDFThatAPaperHasMakesNoJob(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	other := newMountOf(t, m.service)
	m.sh(`mkdir "$HOME/pdfs"`)
	m.put("pdfs/one.pdf", pdfOf(t, 1, 0))
	m.put("pdfs/two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; rsync -a "$HOME/pdfs/" papers/C; "$PAPERFS" wait papers/C/two.paper`)
	job := m.sh(`cat papers/C/two.paper/job`)
	require.Contains(t, job, string(remote.JobCompleted))
	require.Empty(t, m.cost(`rsync -a "$HOME/pdfs/" papers/C`))
	other.put("two.pdf", pdfOf(t, 2, 0))
	other.sh(fetched)
	for _, by := range []*mounted{m, other} {
		by.put("two.pdf", pdfOf(t, 2, 0))
		require.Equal(t, []string{"ProcessPDF"}, by.cost(`cp "$HOME/two.pdf" papers/C/two.pdf`))
		require.Equal(t, job, by.sh(`"$PAPERFS" wait papers/C/two.paper > /dev/null; cat papers/C/two.paper/job`))
		by.sh(`cmp "$HOME/two.pdf" papers/C/two.paper/source.pdf`)
	}
	require.Empty(t, testrun.Must(m.client().GetDeleted(t.Context(), remote.Place{}, time.Time{}, 0))(t))
	m.sh(`cat "$HOME/pdfs/one.pdf" > papers/C/two.pdf; "$PAPERFS" wait papers/C/two.paper; cp "$HOME/two.pdf" papers/C/two.pdf; "$PAPERFS" wait papers/C/two.paper`)
	require.NotEqual(t, job, m.sh(`cat papers/C/two.paper/job`), "the paper had another PDF")
}

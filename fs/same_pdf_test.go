package fs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// reading has a PDF open and mapped while a script replaces it. Then it reads again, and must get
// the new PDF.
const reading = `import mmap, os, subprocess, sys
name, script, new = sys.argv[1:]
want = open(new, "rb").read()
f = os.open(name, os.O_RDONLY)
m = mmap.mmap(f, 0, mmap.MAP_SHARED, mmap.PROT_READ)
before = os.pread(f, 1 << 20, 0)
assert before != want and m[:] == before
subprocess.run(["bash", "-ec", script], check=True)
for what, got in ("descriptor", os.pread(f, 1 << 20, 0)), ("mapping", m[:]), ("name", open(name, "rb").read()):
    assert got != before, what + " has the old PDF"
    assert got == want, what + " has neither PDF"
`

// TestAPDFThatIsReplacedByOneOfItsSizeAndTime replaces a PDF that a program has open: no attribute
// that the kernel sees distinguishes the two.
func TestAPDFThatIsReplacedByOneOfItsSizeAndTime(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	testrun.Program(t, "rsync")
	for name, way := range map[string]string{
		"in place":            `cp -p "$HOME/b.pdf" X.pdf`,
		"by the other name":   `cp -p "$HOME/b.pdf" X.paper/source.pdf`,
		"by a temporary name": `cp -p "$HOME/b.pdf" .X.part; mv .X.part X.pdf`,
		"by rsync":            `rsync -aI "$HOME/b.pdf" X.pdf`,
		"queued":              `cp -p "$HOME/b.pdf" X.pdf; "$PAPERFS" wait ../..`,
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
				m.sh(`cd papers/C; cmp "$HOME/a.pdf" X.pdf; WAY='` + way + `'; python3 "$HOME/reading.py" ` + open + ` "$WAY" "$HOME/b.pdf"; cmp "$HOME/b.pdf" X.pdf; cmp "$HOME/b.pdf" X.paper/source.pdf`)
				m.sh(`cd papers/C; "$PAPERFS" wait ../..; cp -p "$HOME/a.pdf" X.pdf; "$PAPERFS" wait ../..`)
			}
			require.Equal(t, "1700000000", m.sh(`stat -c %Y papers/C/X.pdf`))
		})
	}
}

// TestWhatATruncationLeavesIsTheWritersAlone checks that a program that opens the PDF to update it
// begins with the truncated content. Others still see the whole PDF, even after that program has
// closed it without a write.
func TestWhatATruncationLeavesIsTheWritersAlone(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.drops(t)
	m.sh(`cd papers/C; cp "$HOME/two.pdf" X.pdf; "$PAPERFS" wait X.paper; truncate -s 100 X.pdf
		exec 3<>X.pdf; for i in 1 2 3; do
			test "$(python3 -c 'import os; print(os.fstat(3).st_size)')" = 100
			cmp X.pdf "$HOME/two.pdf" 3>&-; test "$(stat -c %s X.pdf 3>&-)" = "$(stat -c %s "$HOME/two.pdf")"
		done; exec 3>&-; cmp X.pdf "$HOME/two.pdf"`)
	require.Empty(t, m.cost(`cd papers/C; exec 3<>X.pdf; head -c 200 <&3 | cmp - <(head -c 100 "$HOME/two.pdf")`))
}

package mounttest

import (
	"testing"

	"paperfs/remote/testrun"
)

// TestTheKernelKeepsNoNameOfAPDF checks that a name which a rename, out of a directory with a temporary name or of a file that mknod
// made, has given to a PDF shows the next PDF of the paper, and takes what a program copies there.
func TestTheKernelKeepsNoNameOfAPDF(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	testrun.Program(t, "python3")
	m := newMount(t, "--allow-delete")
	for i, name := range []string{"one", "two", "three"} {
		m.put(name+".pdf", pdfOf(t, i+1, 0))
	}
	for way, script := range map[string]string{
		"R": `rsync --delay-updates "$HOME/R.pdf" papers/`,
		"S": `mkdir papers/S.pdf.sb-6d6ce842-tI5oYC; cp "$HOME/one.pdf" papers/S.pdf.sb-6d6ce842-tI5oYC/S.pdf; mv papers/S.pdf.sb-6d6ce842-tI5oYC/S.pdf papers/S.pdf; rmdir papers/S.pdf.sb-6d6ce842-tI5oYC`,
		"M": `python3 -c 'import os; os.mknod("papers/M.part")'; cat "$HOME/one.pdf" > papers/M.part; mv papers/M.part papers/M.pdf`,
	} {
		t.Run(way, func(t *testing.T) {
			m.sh(`set -e; P=` + way + `; cp "$HOME/one.pdf" "$HOME/$P.pdf"; ` + script + `
				"$PAPERFS" wait papers/$P.paper; cmp "$HOME/one.pdf" papers/$P.pdf
				cp "$HOME/two.pdf" papers/$P.paper/x.part; mv papers/$P.paper/x.part papers/$P.paper/source.pdf; "$PAPERFS" wait papers/$P.paper
				cmp "$HOME/two.pdf" papers/$P.pdf; cp "$HOME/three.pdf" papers/$P.pdf; "$PAPERFS" wait papers/$P.paper
				cmp "$HOME/three.pdf" papers/$P.paper/source.pdf; test -d papers/$P.paper/pages/003
				rmdir papers/$P.paper; test ! -e papers/$P.pdf; cp "$HOME/two.pdf" papers/$P.pdf; "$PAPERFS" wait papers/$P.paper; test -d papers/$P.paper/pages/002`)
		})
	}
}

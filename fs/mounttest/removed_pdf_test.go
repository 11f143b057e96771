package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestANewPDFBringsBothNamesBack checks that both names of a paper's PDF show a new one, whichever
// was removed, and by whichever the new PDF is sent.
func TestANewPDFBringsBothNamesBack(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.takePDFs()
	m.put("a.pdf", pdfOf(t, 1, 0))
	m.put("b.pdf", pdfOf(t, 2, 0))
	m.sh(`cp ~/b.pdf ~/X.pdf`)
	for _, removed := range []string{"X.pdf", "X.paper/source.pdf"} {
		for _, way := range []string{`cp ~/b.pdf X.pdf`, `cp ~/b.pdf X.paper/source.pdf`, `cp ~/b.pdf X.paper/`, `cp ~/b.pdf .t; mv .t X.pdf`, `rsync -a ~/X.pdf X.pdf`} {
			t.Run(removed+" "+way, func(t *testing.T) {
				m := *m
				m.t = t
				m.sh(`mkdir -p papers/C; cd papers/C; cp ~/a.pdf X.pdf; rm ` + removed + `; ls -l X.paper > ~/before; ! test -e ` + removed)
				m.sh(`cd papers/C; ` + way)
				require.Equal(t, "X.paper/source.pdf\nX.pdf", m.sh(`cd papers/C; cmp ~/b.pdf X.pdf; cmp ~/b.pdf X.paper/source.pdf; ls X.paper/* X.pdf | grep '\.pdf$' | grep -v b.pdf`))
				m.sh(`ls -l papers/C/X.paper | grep source.pdf`)
			})
		}
	}
}

// TestRemovingAPDFThatIsBeingSent checks that the service accepts the completely sent PDF, and that
// its name stays removed.
func TestRemovingAPDFThatIsBeingSent(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--write-back"}} {
		for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
			if !testrun.OneWay(name, flags == nil) {
				continue
			}
			t.Run(name+strings.Join(flags, ""), func(t *testing.T) {
				t.Parallel()
				m := newMount(t, flags...)
				m.put("a.pdf", pdfOf(t, 1, 0))
				m.put("b.pdf", pdfOf(t, 2, 0))
				m.sh(`mkdir papers/C; cp ~/a.pdf papers/C/X.pdf; "$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper`)
				held, release := m.proxy.FreezeAnswer(remote.ProcessPDF)
				m.sh(`(cp ~/b.pdf papers/C/` + name + `; touch ~/closed) > /dev/null 2>&1 &`)
				<-held
				m.sh(`rm papers/C/` + name)
				release()
				m.eventually(`test -e ~/closed`)
				m.sh(`"$PAPERFS" wait .; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002; ! test -e papers/C/` + name)
			})
		}
	}
}

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

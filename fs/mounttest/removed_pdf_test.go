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

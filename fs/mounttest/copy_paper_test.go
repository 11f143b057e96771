package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestACopyOfAPaper copies papers with cp: the copy has the pages, the settings and the period, and is a paper of its own.
func TestACopyOfAPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C papers/D papers/D/E; cp "$HOME/one.pdf" papers/C/A.pdf; "$PAPERFS" wait papers/C/A.paper
		echo da > papers/C/A.paper/settings/language; echo 2031-01-01/2032-01-01 > papers/C/A.paper/publication`)
	assert.Contains(t, m.cost(`cp -r papers/C/A.paper "papers/C/B b.paper"`), "CopyPaper")
	m.sh(`cp -a papers/C/A.paper papers/D/; (cd papers/C/A.paper && cp -r . ../../D/E/X.paper); cp -rvT "$PWD/papers/C/A.paper" papers/C/T.paper; cd papers/D; cp -rp ../C/A.paper ../C/T.paper -- E`)
	for _, made := range []string{"C/B b", "D/A", "D/E/X", "C/T", "D/E/A", "D/E/T"} {
		m.sh(`cd "papers/` + made + `.paper"; test -f pages/003/thumb.jpg; test "$(cat settings/language)" = da; diff publication ../../C/A.paper/publication || diff publication ../../../C/A.paper/publication`)
	}
	m.sh(`echo de > papers/C/T.paper/settings/language; test "$(cat papers/C/A.paper/settings/language)" = da; ls papers/C/A.paper/pages | grep -q 003
		mkdir papers/F papers/F/F; mv papers/D papers/F/; cp -r papers/F papers/G; cp -r papers/F papers/G; test "$(cd papers/G; find . -name '*.paper' | sort | xargs echo)" = "./D/A.paper ./D/E/A.paper ./D/E/T.paper ./D/E/X.paper ./F/D/A.paper ./F/D/E/A.paper ./F/D/E/T.paper ./F/D/E/X.paper"
		test -f papers/G/F/D/E/X.paper/pages/003/thumb.jpg; test -f papers/C/T.paper/pages/003/zoom.jpg
		mkdir "$HOME/out"; cp -r papers/C/T.paper "$HOME/out/" 2> /dev/null || :; test -s "$HOME/out/T.paper/pages/003/zoom.jpg"`)
}

// TestWhatIsNoCopyOfAPaperMakesNone checks that neither cp -r of a directory that is no paper of the mount, nor mv of a
// directory that is called like a paper leaves an empty paper, that why says what to do instead, and that this works.
func TestWhatIsNoCopyOfAPaperMakesNone(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/C papers/D; cp "$HOME/one.pdf" papers/C/A.pdf; "$PAPERFS" wait papers/C/A.paper; mkdir "$HOME/Old.paper" "$HOME/A.paper"; cp "$HOME/one.pdf" "$HOME/Old.paper/source.pdf"`)
	m.fails(`cp -r "$HOME/A.paper" papers/C/A.paper papers/D/`)
	m.fails(`cp -r papers/C/A.paper/pages papers/D/P.paper`)
	m.sh(`mkdir papers/D/A papers/D/A/A; cp -r papers/C/A.paper papers/D/A/A/; cp -r papers/C/A.paper papers/D/A/; mkdir papers/K`)
	m.fails(`cp -r papers/D/A papers/K`) // either of the two may be meant
	m.fails(`mv "$HOME/Old.paper" papers/D/`)
	m.fails(`cp -r "$HOME/Old.paper" "papers/C/B b.paper"`)
	assert.Equal(t, "papers/C/A.paper\npapers/D/A/A.paper\npapers/D/A/A/A.paper", m.sh(`find papers -name '*.paper' | grep -v papers/K/A/A | sort`))
	m.sh(`test -f "$HOME/Old.paper/source.pdf"`)
	assert.Regexp(t, `mkdir /papers/C/B b.paper failed with EOPNOTSUPP: .* run: cp FROM.pdf 'papers/C/B b.pdf'$`, m.sh(`"$PAPERFS" why "papers/C/B b.paper"`))
	m.sh(`cp papers/C/A.paper/source.pdf "papers/C/B b.pdf"; "$PAPERFS" wait "papers/C/B b.paper"; ls "papers/C/B b.paper/pages/001"`)
	m.sh(`mkdir papers/E.paper; cp -rT papers/C/A.paper papers/E.paper 2> /dev/null || :; "$PAPERFS" wait papers/E.paper; test -d papers/E.paper/pages/001`)
}

// TestACopyIsOfNoOtherPaper copies what a careless reader of cp's arguments takes for another paper: an operand after -- is no option,
// --parents keeps the names of parents, and a dot has the name of no directory.
func TestACopyIsOfNoOtherPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`cp "$HOME/one.pdf" papers/A.pdf; "$PAPERFS" wait papers/A.paper; echo da > papers/A.paper/settings/language
		mkdir -p papers/X/S papers/X/- papers/X/S/- papers/X/T papers/X/P papers/X/A/B/A/B papers/X/X papers/D; cd papers/X; for i in . S - S/- A/B A/B/A/B X; do cp -r ../A.paper ./$i/-x.paper; done
		for i in . - X; do echo de > ./$i/-x.paper/settings/language; done
		cp -r -- -x.paper S T; test "$(cat T/-x.paper/settings/language)" = de; cp -r - S P; test "$(cat P/-/-x.paper/settings/language)" = de`)
	m.fails(`cd papers/X; cp -r --parents A/B T`)
	m.fails(`cd papers/X; test ! -e T/A/B/-x.paper && cp -r . S ../D`) // D is a directory in neither of them
	m.sh(`test ! -e papers/X/T/A/B/-x.paper; test "$(cat papers/D/X/-x.paper/settings/language)" = de`)
}

// TestEarlierPDFsOfAPaperAreListed replaces a PDF: undo lists the one before, with its time, account and size, saves it, and brings it back.
func TestEarlierPDFsOfAPaperAreListed(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 3, 0))
	m.put("two.pdf", pdfOf(t, 1, 0))
	m.sh(`cp "$HOME/one.pdf" papers/A.pdf; "$PAPERFS" wait papers/A.paper; cp "$HOME/two.pdf" papers/A.paper/source.pdf; "$PAPERFS" wait papers/A.paper`)
	listed := m.sh(`"$PAPERFS" undo --list papers/A.paper`)
	assert.Regexp(t, `(?m)^(\d+)\* +pdf +replaced +20\d\d-\d\d-\d\d \d\d:\d\d:\d\d +\S+ +[\d.]+ [KM]iB +/papers/a$`, listed)
	m.sh(`"$PAPERFS" undo papers/A.paper ` + strings.TrimRight(strings.Fields(strings.Split(listed, "\n")[1])[0], "*") + ` --to "$HOME/back.pdf"; cmp "$HOME/back.pdf" "$HOME/one.pdf"`)
	m.sh(`"$PAPERFS" undo papers/A.paper; "$PAPERFS" wait papers/A.paper; ls papers/A.paper/pages | grep -q 003`)
}

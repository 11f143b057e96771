package mounttest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestTheLastGoodPDFStays checks that the last good PDF remains the source.pdf of its paper,
// however many damaged ones follow, and whether or not a program checked their jobs. The last
// damaged one is in failed/.
func TestTheLastGoodPDFStays(t *testing.T) {
	t.Parallel()
	last := fmt.Sprint(times(3, 5)) // bad PDF
	for _, looks := range []bool{true, false} {
		t.Run(fmt.Sprint(looks), func(t *testing.T) {
			t.Parallel()
			m := newDrops(t, "--cache-size", "1B")
			m.sh(`set -e; for i in $(seq ` + last + `); do printf '%%PDF-1.4\ngarbage %d' $i > "$HOME/bad$i.pdf"; done
				cp "$HOME/two.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
			look := `:`
			if looks {
				look = `if "$PAPERFS" wait papers/C/X.paper 2> /dev/null; then exit 1; fi`
			}
			m.sh(`set -e; for i in $(seq ` + last + `); do until cp "$HOME/bad$i.pdf" papers/C/X.pdf 2> /dev/null; do rm -f .paperfs/failed/*; done; ` + look + `; done`)
			m.fails(`"$PAPERFS" wait papers/C/X.paper`)
			m.sh(`set -e; rm -f .paperfs/failed/X.pdf`) // left by a close that came while the previous PDF was being processed
			held := `set -e; cd papers/C; cmp "$HOME/two.pdf" X.pdf; cmp "$HOME/two.pdf" X.paper/source.pdf; cmp "$HOME/bad` + last + `.pdf" ../../.paperfs/failed/source.pdf`
			m.sh(held)
			m.remount("--cache-size", "1B")
			m.eventually(`test -d papers/C/X.paper`)
			m.sh(held)
			for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
				assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/`+name), "service could not make pages from the PDF", name)
			}
			m.sh(`set -e; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper; cmp "$HOME/one.pdf" papers/C/X.pdf`)
		})
	}
}

// TestADamagedPDFReplacesNothingUnsent checks that a damaged PDF does not replace content of a
// later failed close in failed/, which exists nowhere else.
func TestADamagedPDFReplacesNothingUnsent(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`set -e; mkdir papers/C/X.paper; cp "$HOME/one.pdf" papers/C/X.paper/source.pdf; "$PAPERFS" wait papers/C/X.paper
		printf '%%PDF-1.4\ngarbage' > "$HOME/bad.pdf"; cp "$HOME/bad.pdf" papers/C/X.paper/source.pdf`)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`cp "$HOME/two.pdf" papers/C/X.paper/source.pdf`)
	m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
	m.proxy.Heal()
	m.fails(`"$PAPERFS" wait papers/C/X.paper`)
	held := `set -e; cmp "$HOME/one.pdf" papers/C/X.paper/source.pdf; cmp "$HOME/two.pdf" .paperfs/failed/source.pdf
		cmp "$HOME/bad.pdf" ".paperfs/failed/source.pdf (damaged)"`
	m.sh(held)
	m.remount()
	m.eventually(`test -d papers/C/X.paper`)
	m.sh(held)
	m.sh(`set -e; "$PAPERFS" retry papers/C/X.paper/source.pdf; "$PAPERFS" wait papers/C/X.paper; cmp "$HOME/two.pdf" papers/C/X.paper/source.pdf
		cmp "$HOME/bad.pdf" ".paperfs/failed/source.pdf (damaged)"; test "$(ls .paperfs/failed | wc -l)" = 1`)
	assert.Regexp(t, `paperfs retry --over .*\(damaged\)'?\s*$`, m.fails(`"$PAPERFS" retry ".paperfs/failed/source.pdf (damaged)"`))
}

// TestADamagedPDFThatIsTheFirst checks that a paper's first PDF, if damaged, remains the sent PDF,
// with the reason, across a remount.
func TestADamagedPDFThatIsTheFirst(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--cache-size", "1B")
	m.sh(`set -e; mkdir papers/C; for i in 1 2; do printf '%%PDF-1.4\ngarbage %d' $i > "$HOME/bad.pdf"; cp "$HOME/bad.pdf" "$HOME/moved.pdf"
		mv "$HOME/moved.pdf" papers/C/X.pdf; ! "$PAPERFS" wait papers/C/X.paper || exit 1; done`)
	held := `set -e; cmp "$HOME/bad.pdf" papers/C/X.pdf; cmp "$HOME/bad.pdf" papers/C/X.paper/source.pdf`
	m.sh(held)
	m.remount("--cache-size", "1B")
	m.eventually(`test -d papers/C/X.paper`)
	m.sh(held)
	for _, name := range []string{"X.pdf", "X.paper/source.pdf"} {
		assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/`+name), "service could not make pages from the PDF", name)
	}
}

// TestASentPDFThatCannotBeKept checks that a sent PDF that the cache cannot take is in failed/: the
// service does not return it.
func TestASentPDFThatCannotBeKept(t *testing.T) {
	t.Parallel()
	m := newDrops(t)
	m.sh(`set -e; rm -r "$HOME/cache"; : > "$HOME/cache"; cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.eventually(`cmp "$HOME/two.pdf" .paperfs/failed/X.pdf`)
	assert.Contains(t, m.sh(`set -e; "$PAPERFS" why papers/C/X.pdf`), "the service has this PDF")
	m.sh(`set -e; "$PAPERFS" wait papers/C/X.paper; test -e papers/C/X.paper/pages/002`)
	m.fails(`"$PAPERFS" retry .paperfs/failed`)
}

package mounttest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestRsyncOfPDFsInItsModes checks that, if rsync succeeds, the PDF is on the service, even if
// rsync keeps it in its own directory until the end.
func TestRsyncOfPDFsInItsModes(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.takePDFs()
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`cp "$HOME/Spring.pdf" "$HOME/source.pdf"; mkdir "$HOME/tmp" media/.tmp`)
	modes := []string{"--delay-updates", "--delay-updates --partial-dir=.mine", "--partial-dir=.mine", "--partial", "--inplace", "--append",
		`--temp-dir="$HOME/tmp"`, `--temp-dir=/dev/shm`, "--whole-file --fsync", "--no-whole-file"}
	for i, mode := range modes {
		if i%2 == 1 && !testrun.All() {
			continue
		}
		c := fmt.Sprintf("papers/C%d", i)
		m.sh(`mkdir ` + c + ` ` + c + `/X.paper`)
		assert.Equal(t, []string{"CreatePaper", "ProcessPDF"}, m.cost(`rsync -a `+mode+` "$HOME/Spring.pdf" `+c+`/`), mode)
		assert.Equal(t, []string{"ProcessPDF"}, m.cost(`rsync -a `+mode+` "$HOME/source.pdf" `+c+`/X.paper/`), mode)
		assert.Equal(t, "Spring.paper\nX.paper", m.sh(`ls -A `+c), mode)
		m.sh(`cd ` + c + `; for f in Spring.pdf Spring.paper/source.pdf X.pdf; do cmp "$HOME/Spring.pdf" $f; done
			for d in . X.paper; do test ! -e $d/.~tmp~ -a ! -e $d/.mine; done`)
		assert.Empty(t, m.cost(`rsync -a `+mode+` "$HOME/Spring.pdf" `+c+`/; rsync -a `+mode+` "$HOME/source.pdf" `+c+`/X.paper/`), "the second time: %s", mode)
	}
	assert.Empty(t, m.sh(`ls .paperfs/failed`))

	m.sh(`mkdir papers/D`)
	m.fails(`rsync -a --temp-dir="$PWD/media/.tmp" "$HOME/Spring.pdf" papers/D/`)
	assert.Empty(t, m.sh(`ls papers/D`))
	m.proxy.Heal()
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails(`rsync -a --delay-updates "$HOME/Spring.pdf" papers/D/`)
	m.sh(`cmp "$HOME/Spring.pdf" papers/D/.~tmp~/Spring.pdf; test "$(ls papers/D/.~tmp~)" = Spring.pdf`)
	m.proxy.Heal()
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`rsync -a --delay-updates "$HOME/Spring.pdf" papers/D/`))
	m.sh(`cmp "$HOME/Spring.pdf" papers/D/Spring.pdf; test ! -e papers/D/.~tmp~`)
}

package mounttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestFailedContentSaysWhereItBelongs checks that programs see the destination of content in failed/, and
// that a PDF for papers/ is not mistaken for a file of media/papers/, or vice versa.
func TestFailedContentSaysWhereItBelongs(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p media/papers/X.paper papers/X.paper papers/C`)
	for _, op := range []*remote.Operation{remote.ProcessPDF, remote.UploadFile} {
		m.refuse(op, `<result><code>READONLY</code><message>No room.</message></result>`)
	}
	places := []string{"media/papers/X.paper/source.pdf", "papers/C/Spring.pdf", "papers/X.paper/source.pdf"}
	for _, place := range places {
		m.fails(`cp "$HOME/Spring.pdf" ` + place)
	}
	m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 3`)
	m.proxy.Heal()
	m.remount()
	var status control.Status
	require.NoError(t, json.Unmarshal([]byte(m.sh(`"$PAPERFS" status --json .`)), &status))
	var told, paths []string
	for _, f := range status.Media.FailedFiles {
		told, paths = append(told, f.Place), append(paths, f.Path)
	}
	assert.ElementsMatch(t, places, told)
	assert.ElementsMatch(t, []string{"papers/X.paper/source.pdf", "papers/C/Spring.pdf", "papers/X.paper/source.pdf"}, paths)
	assert.NotContains(t, m.sh(`cat .paperfs/uploads`), `"/`)
	for _, place := range places {
		assert.Contains(t, m.sh(`"$PAPERFS" why `+place), "No room", place)
		m.sh(`"$PAPERFS" retry ` + place + `; cmp "$HOME/Spring.pdf" ` + place)
	}
	m.sh(`test -z "$(ls .paperfs/failed)"`)
}

// TestLocalFilesInPapersAreListed checks that local files in papers/ are listed with the rest.
func TestLocalFilesInPapersAreListed(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C papers/C/X.paper; echo a > media/a.part; echo no > papers/C/b.part; echo no > papers/C/X.paper/c.part`)
	m.refuse(remote.ProcessPDF, `<result><code>READONLY</code><message>No room.</message></result>`)
	m.fails(`rsync -a --delay-updates "$HOME/Spring.pdf" papers/C/`)
	list := m.sh(`"$PAPERFS" status --local .`)
	assert.Regexp(t, `^media/a\.part +2 B +since \d{4}-.*\npapers/C/\.~tmp~/ +1 file.*\npapers/C/b\.part +3 B +since \d{4}-.*\npapers/C/X\.paper/c\.part +3 B +since `, list)
	assert.Equal(t, "local", m.sh(`"$PAPERFS" stat --json papers/C/b.part | grep -o local`))
	m.sh(`rm papers/C/b.part papers/C/.~tmp~/Spring.pdf; rmdir papers/C/.~tmp~`)
	assert.NotContains(t, m.sh(`"$PAPERFS" status --local .`), "papers/C/b")
}

// TestASentPDFIsNeverEvicted checks that the cache keeps a sent PDF: mv from another disk has
// removed the original, and the service does not return it. The previous PDF may be evicted once
// the service has the new pages.
func TestASentPDFIsNeverEvicted(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--cache-size", "1B")
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.put("new.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C; cp "$HOME/Spring.pdf" "$HOME/moved.pdf"; mv "$HOME/moved.pdf" papers/C/Spring.pdf; cp "$HOME/new.pdf" papers/C/Other.pdf
		for i in 1 2 3; do echo $i > media/$i; done`)
	held := `cmp "$HOME/Spring.pdf" papers/C/Spring.pdf; cmp "$HOME/new.pdf" papers/C/Other.pdf`
	m.sh(held)
	m.remount("--cache-size", "1B")
	m.sh(`for i in 4 5 6; do echo $i > media/$i; done; ` + held)
	lies := `find "$HOME/cache" -name $(sha256sum < "$HOME/Spring.pdf" | cut -d' ' -f1) | grep -q .`
	m.sh(lies + `; "$PAPERFS" wait papers/C/Spring.paper; cp "$HOME/new.pdf" papers/C/Spring.pdf; "$PAPERFS" wait papers/C/Spring.paper; echo 7 > media/7; echo 8 > media/8`)
	m.eventually(`! ` + lies)
	m.sh(`cmp "$HOME/new.pdf" papers/C/Spring.pdf`)
}

package fs_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestASecondPDFWaitsForTheFirst checks that a program that replaces a PDF at once need not know
// that the service processes one PDF of a paper at a time. The test's service refuses each PDF
// once, and has finished when asked.
func TestASecondPDFWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.put("three.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C "$HOME/a" "$HOME/b"; cp "$HOME/two.pdf" "$HOME/a/X.pdf"; cp "$HOME/three.pdf" "$HOME/b/X.pdf"
		(cd "$HOME/a"; zip -q ../a.zip X.pdf); (cd "$HOME/b"; tar cf ../b.tar X.pdf)
		cp "$HOME/one.pdf" papers/C/X.pdf`)
	busy := make(chan bool, 1)
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
		select {
		case <-busy:
		default:
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_, _ = io.WriteString(w, `<?xml version="1.0" encoding="utf-8"?><result><code>`+string(remote.AlreadyBeingProcessed)+`</code></result>`)
		return true
	})
	for _, replace := range []string{`unzip -qo "$HOME/a.zip"`, `tar xf "$HOME/b.tar"`} {
		c := m.client()
		until(t, "no PDF is being processed", func() bool {
			all, err := c.GetProcessingPapers(t.Context())
			return err == nil && len(all) == 0
		})
		busy <- true
		m.sh(`cd papers/C; ` + replace)
	}
	m.sh(`"$PAPERFS" wait papers/C/X.paper; cmp "$HOME/three.pdf" papers/C/X.pdf; test -e papers/C/X.paper/pages/003; test -z "$(ls .paperfs/failed)"`)
	require.Equal(t, 5, m.proxy.Count(remote.ProcessPDF), "each PDF is refused once")
	require.Empty(t, m.sh(`cat .paperfs/errors`))
}

// TestASignalEndsTheWaitForAnotherPDF checks the wait for another PDF of the same paper.
func TestASignalEndsTheWaitForAnotherPDF(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/C/X.paper`)
	release := m.proxy.Freeze(remote.ProcessPDF)
	m.proxy.Reset()
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf > /dev/null 2>&1 &`)
	m.waitForRequest(remote.ProcessPDF)
	m.sh(`cp "$HOME/two.pdf" papers/C/X.paper/source.pdf > /dev/null 2>&1 & pid=$!
		until test "$(stat -c %s papers/C/X.paper/source.pdf)" = "$(stat -c %s "$HOME/two.pdf")"; do sleep 0.02; done
		kill -TERM $pid; ! wait $pid`)
	require.Equal(t, 1, m.proxy.Count(remote.ProcessPDF))
	release()
}

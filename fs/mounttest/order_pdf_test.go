package mounttest

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"paperfs/remote"
)

// TestTheLastPDFStays closes a PDF while an older one is being sent to the same paper, and the
// writer of the older one waits or was killed.
func TestTheLastPDFStays(t *testing.T) {
	t.Parallel()
	for name, writer := range map[string]string{
		"two writers":     `cp "$HOME/one.pdf" papers/X.paper/source.pdf`,
		"a killed writer": `cp "$HOME/one.pdf" papers/X.paper/source.pdf & echo $! > "$HOME/writer"; wait`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMount(t)
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.put("two.pdf", pdfOf(t, 2, 0))
			m.sh(`mkdir papers/X.paper`)
			var slow atomic.Bool
			m.proxy.Answer(remote.ProcessPDF, func(_ http.ResponseWriter, r *http.Request) bool {
				if slow.CompareAndSwap(false, true) {
					select {
					case <-time.After(time.Second):
					case <-r.Context().Done():
					}
				}
				return false
			})
			m.proxy.Reset()
			m.sh(`{ set +e; ` + writer + `; : > "$HOME/one.ended"; } > /dev/null 2>&1 &`)
			m.waitForRequest(remote.ProcessPDF)
			m.sh(`test ! -e "$HOME/writer" || kill "$(cat "$HOME/writer")" || :`)
			// The service processes one PDF of a paper at a time and refuses others, which go to failed/ at their last release: the
			// kernel sends it after the close.
			m.sh(`cp "$HOME/two.pdf" papers/X.paper/source.pdf 2> /dev/null || : > "$HOME/two.refused"`)
			m.eventually(`test ! -e "$HOME/two.refused" || cmp "$HOME/two.pdf" .paperfs/failed/source.pdf`)
			m.sh(`test ! -e "$HOME/two.refused" || { ! "$PAPERFS" wait papers/X.paper && "$PAPERFS" retry papers/X.paper/source.pdf; }`)
			m.eventually(`test -e "$HOME/one.ended"`)
			m.sh(`"$PAPERFS" wait papers/X.paper; cmp "$HOME/two.pdf" papers/X.paper/source.pdf; test "$(ls papers/X.paper/pages | wc -l)" = 2`)
		})
	}
}

package mounttest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestWaitWaitsForAPDF checks that the PDF of an interrupted close, which is sent in the
// background, is in uploads, and that paperfs wait waits, until it is on the service or has failed.
func TestWaitWaitsForAPDF(t *testing.T) {
	t.Parallel()
	for _, refused := range []bool{false, true} {
		t.Run(map[bool]string{false: "sent", true: "refused"}[refused], func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.sh(`mkdir papers/X.paper`)
			answer := make(chan struct{})
			m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
				select {
				case <-answer:
				case <-r.Context().Done():
				}
				if refused {
					w.WriteHeader(http.StatusRequestEntityTooLarge)
				}
				return refused
			})
			m.proxy.Reset()
			m.sh(`{ cp "$HOME/one.pdf" papers/X.paper/source.pdf & echo $! > "$HOME/pid"; wait; : > "$HOME/ended"; } > /dev/null 2>&1 &`)
			m.waitForRequest(remote.ProcessPDF)
			m.sh(`read -r pid < "$HOME/pid"; kill "$pid"`)
			m.eventually(`test -e "$HOME/ended"`)
			require.Regexp(t, `^sending "papers/X.paper/source.pdf" \d+ of \d+ bytes since `, m.sh(`cat .paperfs/uploads`))
			require.Contains(t, m.sh(`"$PAPERFS" status --json .`), `"idle": false`)
			m.sh(`for path in . papers/X.paper; do
				{ code=0; "$PAPERFS" wait $path > /dev/null 2>&1 || code=$?; echo $code > "$HOME/code.${path##*.}"; } > /dev/null 2>&1 & done`)
			m.sh(`test ! -e "$HOME/code."; test ! -e "$HOME/code.paper"`)
			close(answer)
			m.eventually(`test -s "$HOME/code." && test -s "$HOME/code.paper"`)
			if refused {
				m.eventually(`! "$PAPERFS" wait . 2> "$HOME/words"; grep /papers/X.paper/source.pdf "$HOME/words"`)
				require.Regexp(t, `^failed "papers/X.paper/source.pdf"`, m.sh(`cat .paperfs/uploads`))
				return
			}
			require.Equal(t, "0\n0", m.sh(`cat "$HOME/code." "$HOME/code.paper"; test -n "$(cat papers/X.paper/job)"; ls papers/X.paper/pages/001 > /dev/null`))
			require.Empty(t, m.sh(`cat .paperfs/uploads`))
		})
	}
}

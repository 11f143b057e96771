package mounttest

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestASecondPDFIsRefusedAtOnce checks that the close of a PDF fails without a wait while the service
// makes the pages of the one before, that no poll of that job and no second attempt is sent, that why
// says what to do, and that this works.
func TestASecondPDFIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
	m.proxy.Answer(remote.ProcessPDF, func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="utf-8"?><result><code>%s</code></result>`, remote.AlreadyBeingProcessed)
		return true
	})
	assert.Equal(t, []string{"ProcessPDF"}, m.cost(`if cp "$HOME/two.pdf" papers/C/X.paper/source.pdf; then exit 1; fi`))
	assert.Regexp(t, `failed with EBUSY .* one PDF of a paper at a time: .*\(paperfs wait\), paperfs retry sends this one; its content is in .paperfs/failed/source.pdf`, m.sh(`"$PAPERFS" why papers/C/X.paper`))
	assert.Equal(t, "001", m.sh(`ls papers/C/X.paper/pages`))
	m.proxy.Heal()
	m.sh(`"$PAPERFS" wait papers/C/X.paper || test $? = 19; "$PAPERFS" retry papers/C/X.paper/source.pdf; "$PAPERFS" wait papers/C/X.paper; test -d papers/C/X.paper/pages/002`)
}

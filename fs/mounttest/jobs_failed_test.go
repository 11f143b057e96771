package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestStatusNamesJobsThatFailed checks that status names a PDF that the service could not process,
// also after a remount, until a newer PDF is sent to the paper.
func TestStatusNamesJobsThatFailed(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`printf '%%PDF-1.4\ngarbage' > "$HOME/bad.pdf"; mkdir papers/C; cp "$HOME/bad.pdf" papers/C/X.pdf`)
	m.fails(`"$PAPERFS" wait papers/C/X.paper`)
	named := func() {
		assert.Regexp(t, `(?m)^failed job: +papers/C/X\.paper: its PDF was sent \S+ ago; Failed: .* damaged or not complete`, m.sh(`"$PAPERFS" status .`))
		assert.Equal(t, "papers/C/X.paper Failed", m.sh(`"$PAPERFS" status --json . | jq -r '.failedJobs[] | .place + " " + .status'`))
	}
	named()
	m.remount()
	m.eventually(`test -d papers/C/X.paper`)
	named()
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
	assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "failed job:")
}

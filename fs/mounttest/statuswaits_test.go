package mounttest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestStatusSaysWhatWaits checks that status shows what waits and why, then that it has arrived.
func TestStatusSaysWhatWaits(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	m.proxy.Answer(nil, restarting(http.StatusFound, ""))
	m.sh(`echo one > media/one; echo no > media/.hidden.swp`)
	m.eventually(`"$PAPERFS" status . | grep -q "all of it waits:.*HTTP 302"`)
	assert.Contains(t, m.sh(`"$PAPERFS" status .`), "media/one: waits")
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry .; "$PAPERFS" wait .`)
	assert.Contains(t, m.sh(`"$PAPERFS" status .`), "1 published, 1 local, 0 being written, 0 pending")
	assert.Contains(t, m.sh(`"$PAPERFS" status .`), "media/.hidden.swp, since ")
}

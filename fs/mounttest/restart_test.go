package mounttest

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

// restarting answers every request like a proxy whose service restarts, or like another server in
// its place.
func restarting(status int, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Location", "/login")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// TestTheQueueWaitsWhileAProxyRestarts checks that such answers do not fail the files: they wait,
// status says why, and all of them arrive.
func TestTheQueueWaitsWhileAProxyRestarts(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.sh(`ls media`)
	for name, c := range map[string]struct {
		status    int
		body, why string
		rare      bool // not tried in a short run
	}{
		"redirect":   {http.StatusFound, "", "HTTP 302", false},
		"404":        {http.StatusNotFound, "", "HTTP 404", false},
		"405":        {http.StatusMethodNotAllowed, "", "HTTP 405", true},
		"408":        {http.StatusRequestTimeout, "", "HTTP 408", true},
		"409":        {http.StatusConflict, "", "HTTP 409", true},
		"410":        {http.StatusGone, "", "HTTP 410", true},
		"425":        {http.StatusTooEarly, "", "HTTP 425", true},
		"418":        {http.StatusTeapot, "", "HTTP 418", true},
		"login page": {http.StatusOK, "<html><title>Sign in</title></html>", "Sign in", false},
		"odd code":   {http.StatusOK, "<result><code>MAINTENANCE</code></result>", "MAINTENANCE", false},
	} {
		if c.rare && !testrun.All() {
			continue
		}
		m.proxy.Answer(nil, restarting(c.status, c.body))
		m.sh(fmt.Sprintf(`for i in 1 2 3 4 5; do echo $i > "media/%s $i"; done`, name))
		m.eventually(`"$PAPERFS" status . | grep -q "all of it waits: .*` + c.why + `"`)
		assert.Empty(t, m.sh(`ls .paperfs/failed`), name)
		m.proxy.Heal()
		m.sh(`"$PAPERFS" retry . && "$PAPERFS" wait .`)
		held := m.atService()
		for i := 1; i <= 5; i++ {
			assert.Equal(t, sum(fmt.Sprintln(i)), held[fmt.Sprintf("%s %d", name, i)])
		}
		assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "waits")
	}
}

// TestARestartHidesNoOperation checks that an optional operation that a proxy answered with 404 for
// a while is offered afterwards.
func TestARestartHidesNoOperation(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/X.paper; echo one > media/one`)
	m.proxy.Answer(nil, restarting(http.StatusNotFound, ""))
	for _, gesture := range []string{`rm media/one`, `ls papers/X.paper/fields`, `rmdir papers/X.paper`} {
		assert.NotContains(t, m.fails(gesture), "not supported")
	}
	m.proxy.Heal()
	m.eventually(`ls papers/X.paper/fields`)
	m.sh(`rm media/one; rmdir papers/X.paper`)
	assert.Empty(t, m.atService())
}

package mounttest

import (
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// minutes is a service that accepts a fixed number of requests per minute and refuses the others. A
// minute ends when the test says so.
type minutes struct {
	limit, left atomic.Int32
	refused     chan struct{} // a request was refused
}

func limited(m *mounted, limit int32) *minutes {
	s := &minutes{refused: make(chan struct{}, 1)}
	s.limit.Store(limit)
	s.left.Store(limit)
	m.proxy.Answer(nil, func(w http.ResponseWriter, _ *http.Request) bool {
		if s.left.Add(-1) >= 0 {
			return false
		}
		select {
		case s.refused <- struct{}{}:
		default:
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	return s
}

// next begins a minute.
func (s *minutes) next() {
	s.left.Store(s.limit.Load())
	select {
	case <-s.refused:
	default:
	}
}

// TestManyPDFsOverMinutesAndKills copies a folder of PDFs with rsync and --write-back to a service
// that accepts fewer requests per minute than they need, and kills the mount in each minute. In the
// end, every PDF is on the service once, and nothing is in failed/.
//
// PAPERFS_TEST_ROUNDS makes it a hundred PDFs at 45 requests a minute.
func TestManyPDFsOverMinutesAndKills(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "kills the mount in each of many minutes")
	testrun.Program(t, "rsync")
	count, limit := 12, int32(9)
	if os.Getenv("PAPERFS_TEST_ROUNDS") != "" {
		count, limit = 100, 45
	}
	m := newMount(t, "--write-back")
	m.sh(`mkdir "$HOME/F"`)
	for i := range count {
		m.put(fmt.Sprintf("F/%d.pdf", i), pdfOf(t, 1, 2000+i))
	}
	service := limited(m, limit)
	m.sh(`rsync -a "$HOME/F" papers/`)
	kills := 0
	for !m.sentBefore(service.refused) {
		kills++
		service.next()
		m.start("--write-back")
		m.eventually(`test -d papers/F`) // the first tree shown is a saved one
		m.sh(`rsync -a "$HOME/F" papers/`)
	}
	assert.GreaterOrEqual(t, kills, 2*count/int(limit)-1)
	m.proxy.Heal()
	m.processed("papers/F/*.paper")
	m.sh(fmt.Sprintf(`test -z "$(ls .paperfs/failed)"; for i in $(seq 0 %d); do cmp "$HOME/F/$i.pdf" papers/F/$i.pdf; test -e papers/F/$i.paper/pages/001; done`, count-1))
	assert.Empty(t, m.cost(`rsync -a "$HOME/F" papers/`))
	papers := map[string]int{}
	require.NoError(t, m.client().GetAllPapers(t.Context(), m.status().Tree.RootID, func(n remote.Node) error {
		if n.Kind == remote.PaperNode {
			papers[n.Name]++
		}
		return nil
	}))
	assert.Len(t, papers, count)
	for name, times := range papers {
		assert.Equal(t, 1, times, name)
	}
}

// sentBefore reports whether the queue empties before a request is refused. If not, it kills the mount.
func (m *mounted) sentBefore(refused <-chan struct{}) bool {
	m.t.Helper()
	failed := make(chan error, 1)
	go func() {
		out, err := m.run("bash", `"$PAPERFS" wait .`)
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		failed <- err
	}()
	select {
	case err := <-failed:
		require.NoError(m.t, err, "wait failed, although the mount still runs")
		return true
	case <-refused:
		m.crash()
		<-failed
		return false
	}
}

package mounttest

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// TestReadersThatWaitHoldUpNoOthers lets programs wait for a service whose answers hardly move. Others
// go on reading what is here.
func TestReadersThatWaitHoldUpNoOthers(t *testing.T) {
	t.Parallel()
	const files, size = 20, 1 << 20
	m := newMount(t)
	for i := range files {
		testrun.Must(m.client().UploadFile(t.Context(), 0, fmt.Sprint("f", i), bytesOf(strings.Repeat("x", size))))(t)
	}
	m.remount()
	m.sh(`head -c 1000000 /dev/zero > media/.here && stat media/f19`)
	var begun atomic.Int32
	over := make(chan struct{})
	m.proxy.Answer(nil, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, ".asmx/") {
			return false
		}
		var from, to int
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		to = min(to, size-1)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, size))
		w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
		w.Header().Set("ETag", `"one"`)
		w.WriteHeader(http.StatusPartialContent)
		begun.Add(1)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for { // so slowly that no reader gets anything, and nobody gives up
			_, _ = w.Write([]byte("x"))
			_ = http.NewResponseController(w).Flush()
			select {
			case <-tick.C:
			case <-over:
				return true
			}
		}
	})
	defer close(over)
	for i := range files {
		reader := programtest.Command(t, testrun.Patience(), "cat", fmt.Sprintf("%s/media/f%d", m.dir, i))
		require.NoError(t, reader.Start())
		defer func() { _ = reader.Wait() }()
		defer func() { _ = reader.Process.Kill() }()
	}
	until(t, "the service has begun to answer", func() bool { return begun.Load() >= files })
	m.sh(`cmp media/.here <(head -c 1000000 /dev/zero)`)
}

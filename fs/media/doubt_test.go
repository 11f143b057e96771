package media_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
)

// TestOneFileThatIsRefusedForADay checks a file that the service refuses for no clear reason (HTTP
// 409) while it accepts others. The file alone waits, and moves to failed/ after a day.
func TestOneFileThatIsRefusedForADay(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	m := newMount(t, writeBack, func(o *media.Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	})
	m.sh(`ls`)
	m.proxy.Answer(remote.UploadFile, func(w http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		form, _ := url.ParseQuery(string(body))
		if form.Get("name") != "disliked" {
			return false
		}
		w.WriteHeader(http.StatusConflict)
		return true
	})
	m.sh(`for i in 1 2 3; do echo $i > $i; done; echo never > disliked; for i in 4 5 6; do echo $i > $i; done`)
	tried := func() {
		t.Helper()
		queue := m.store.Queue()
		m.store.RetryNow()
		m.eventually(func() bool {
			now := m.store.Queue()
			return len(now) == 0 || len(now) == 1 && now[0].Path == "disliked" && now[0].Attempts > queue[0].Attempts
		})
	}
	m.eventually(func() bool { return len(m.store.Queue()) == 1 && m.store.Queue()[0].Attempts > 0 })
	require.NoError(t, m.store.Status().Waits)
	passed.Add(int64(23 * time.Hour))
	tried()
	require.Empty(t, m.store.Failed())
	require.Equal(t, "never", m.sh(`cat disliked`))
	passed.Add(int64(time.Hour))
	tried()
	m.eventually(func() bool { return len(m.store.Failed()) == 1 })
	require.Contains(t, m.store.Failed()[0].Reason, "refused for a day")
	require.Contains(t, m.store.Failed()[0].Reason, "HTTP 409")
	require.Equal(t, "never\n", m.content("disliked"))
	m.fails(`test -e disliked`)
	require.Len(t, m.atService(), 6)
}

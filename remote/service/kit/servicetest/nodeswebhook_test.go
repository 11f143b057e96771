package servicetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestOneOfTheNodesSends makes changes through two nodes: each event is sent once.
func TestOneOfTheNodesSends(t *testing.T) {
	t.Parallel()
	f := StartNodes(t)
	var mu sync.Mutex
	got := map[int64]int{}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct{ ID int64 }
		err := json.NewDecoder(r.Body).Decode(&m)
		mu.Lock()
		defer mu.Unlock()
		if got[m.ID]++; err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(receiver.Close)
	testrun.Must(f.Admin().AddWebhook("default", receiver.URL, []string{store.HookChanged}, true))(t)
	want := map[int64]int{}
	for i := range 8 {
		c := client(t, f.Nodes[i%2], f)
		id := testrun.Must(c.CreateCategory(t.Context(), remote.Node{ID: 1, Kind: remote.CategoryNode, URL: "/"}, fmt.Sprint("c", i), fmt.Sprint("c", i)))(t)
		want[id] = 1
	}
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(got) == len(want)
	}, testrun.Patience(), 10*time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, want, got)
}

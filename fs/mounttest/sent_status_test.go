package mounttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
)

// TestStatusCountsWhatWasSent checks that an upload that waits for the request limit has sent
// nothing.
func TestStatusCountsWhatWasSent(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back", "--rpm", "6")
	m.put("a.pdf", pdfOf(t, 1, 0))
	m.sh(`mkdir papers/C; for n in 1 2 3 4 5 6; do cp ~/a.pdf papers/C/$n.pdf; done`)
	until(t, "what waits, waits for the limit", func() bool {
		var s control.Status
		require.NoError(t, json.Unmarshal([]byte(m.sh("cat .paperfs/status")), &s))
		for _, c := range s.Requests.UnderWay {
			if c.Waits != "limit" {
				return false
			}
		}
		var sent int64
		for _, u := range s.Media.Uploads {
			sent += u.Sent
		}
		return len(s.Requests.UnderWay) > 0 && len(s.Media.Uploads) > 0 && sent == 0
	})
}

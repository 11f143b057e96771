package mounttest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAnEmptyFileWaitsForTheService checks that an empty file is sent in the background after its
// last close, so that it waits like a queued file while a proxy cannot reach the service.
func TestAnEmptyFileWaitsForTheService(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.proxy.Fail(remote.UploadFile, -1, http.StatusBadGateway)
	m.sh(`touch media/empty`)
	m.eventually(`grep -q "upload media/empty .*502" .paperfs/errors`)
	require.Equal(t, "empty", m.sh(`ls media; ls .paperfs/failed`))
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry . && "$PAPERFS" wait .`)
	require.Equal(t, "empty", m.sh(`ls media; ls .paperfs/failed`))
	require.Len(t, testrun.Must(m.client().GetTree(t.Context()))(t).Files, 1)
}

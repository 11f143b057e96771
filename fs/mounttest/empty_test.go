package mounttest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
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

// TestWhyAnEmptyPDFMakesNoPages checks that why of an empty PDF, and of its paper, says that nothing
// was sent, though the close succeeded, which is no failure: browsers make a file first, and fill it later.
func TestWhyAnEmptyPDFMakesNoPages(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`: > "$HOME/none.pdf"; mkdir papers/C papers/C/X.paper papers/C/T.paper
		cp "$HOME/none.pdf" papers/C/X.paper/source.pdf; cp "$HOME/none.pdf" papers/C/New.pdf; cp "$HOME/none.pdf" papers/C/T.paper/.a.part; mv papers/C/T.paper/.a.part papers/C/T.paper/source.pdf`)
	for _, path := range []string{"X.paper", "X.paper/source.pdf", "X.pdf", "New.pdf", "New.paper", "T.paper"} {
		m.eventually(`{ "$PAPERFS" why papers/C/` + path + ` 2>&1 || :; } | grep -q 'empty .*0 bytes.* succeeds, and'`)
	}
	assert.Empty(t, m.sh(`cat .paperfs/errors`))
	m.sh(`cp "$HOME/one.pdf" papers/C/X.paper/source.pdf; "$PAPERFS" wait papers/C/X.paper`)
	assert.NotContains(t, m.sh(`"$PAPERFS" why papers/C/X.paper`), "empty")
	assert.Equal(t, "T.paper\nX.paper", m.sh(`ls papers/C`))
}

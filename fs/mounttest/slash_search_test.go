package mounttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestASearchForASlash checks that a query can have a slash, which no name has, and a percent sign.
func TestASearchForASlash(t *testing.T) {
	m := newMount(t)
	pdf := filepath.Join(m.home, "slash.pdf")
	require.NoError(t, os.WriteFile(pdf, pdftest.Text("rakes and/or spades at 50% off"), 0o600))
	m.sh(`mkdir papers/X.paper && cp "` + pdf + `" papers/X.paper/source.pdf && "$PAPERFS" wait papers/X.paper`)
	for _, query := range []string{"and%2For", "and%2for", "50%", "50%25"} {
		require.Contains(t, m.sh(`ls papers/.search/content/`+query), "001 X.paper\n", query)
		require.Contains(t, m.sh(`ls papers/.search/pages/`+query), "001 X.paper p001\n", query)
	}
	require.Empty(t, m.sh(`ls papers/.search/content/and%252For`))
}

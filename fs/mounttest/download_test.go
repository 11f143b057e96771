package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestADownloadOfFirefox does in media/ what Firefox 153 does: during a download, an empty file
// reserves its name. The mount does not publish that file, so that a cancelled download can be removed.
func TestADownloadOfFirefox(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	begins := `set -o noclobber; : > 0Ux1eaLa.pdf; rm 0Ux1eaLa.pdf; echo one > 0Ux1eaLa.pdf.part; : > Slow.pdf
		mv 0Ux1eaLa.pdf.part Slow.0Me9uXYU.pdf.part; echo two >> Slow.0Me9uXYU.pdf.part`
	waits := `"$PAPERFS" status . | grep 'Slow.pdf: waits: it is empty and will be sent when its download (Slow.0Me9uXYU.pdf.part) ends'`
	m.sh(`mkdir media/dl; cd media/dl; ` + begins)
	m.eventually(waits)
	m.sh(`cd media/dl; rm Slow.0Me9uXYU.pdf.part Slow.pdf`)
	require.Zero(t, m.proxy.Count(remote.UploadFile))
	require.Empty(t, m.sh(`"$PAPERFS" wait .; ls media/dl; cat .paperfs/errors`))

	m.sh(`cd media/dl; ` + begins)
	m.eventually(waits)
	m.sh(`cd media/dl; mv Slow.0Me9uXYU.pdf.part Slow.pdf; "$PAPERFS" wait .`)
	require.Equal(t, 1, m.proxy.Count(remote.UploadFile))
	require.Equal(t, "one\ntwo", m.sh(`cat media/dl/*`))
}

// TestAPartOfTheFutureHoldsNothingBack checks that a .part file with a time in the future delays
// nothing. A program, or a clock that was set back, may leave one.
func TestAPartOfTheFutureHoldsNothingBack(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`cd media; echo one > Slow.0Me9uXYU.pdf.part; touch -d '2 days' Slow.0Me9uXYU.pdf.part; : > Slow.pdf; "$PAPERFS" wait .`)
	require.Equal(t, 1, m.proxy.Count(remote.UploadFile))
}

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheEndNamesWhatOnlyThisMachineHas checks that mount names unfinished downloads at its end:
// they are not on the service, and users would not look for them once the mount has ended.
func TestTheEndNamesWhatOnlyThisMachineHas(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount()
	e.must(`mkdir papers/C; echo half > media/x.part; echo half > papers/C/y.crdownload; : > media/empty.part
		echo litter > media/Thumbs.db; echo litter > media/.hidden; echo whole > media/whole`)
	_, _, said := e.run("umount", e.path("ipaper"))
	<-p.ended
	for _, said := range []string{said, p.stderr.String()} {
		require.Regexp(t, `not on the service, because their names are unfinished; kept in /.*/spool:
  media/x\.part \(5 B\): the next mount shows it there; .*
  papers/C/y\.crdownload \(5 B\): the next mount puts it into \.paperfs/failed/; .*
`, said)
		require.NotRegexp(t, "Thumbs|hidden|whole|empty", said)
	}
	e.mount()
	require.Equal(t, "half\nhalf\n", e.must("cat media/x.part .paperfs/failed/y.crdownload"))
	e.must("rm media/x.part .paperfs/failed/y.crdownload")
	_, _, said = e.run("umount", e.path("ipaper"))
	require.NotContains(t, said, "not on the service")
}

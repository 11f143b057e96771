package mounttest

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

// TestWhatIsFreeIsWhatTheQuotaLeaves checks that media/ has no more free space than the quota of media files leaves, and that
// papers/, whose PDFs do not count, has.
func TestWhatIsFreeIsWhatTheQuotaLeaves(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	free := func(dir string) int {
		n := testrun.Must(strconv.Atoi(m.sh(`python3 -c 'import os; s = os.statvfs("` + dir + `"); print(s.f_bavail * s.f_frsize)'`)))(t)
		return n
	}
	m.sh(`mkdir media/d; head -c 40960 /dev/zero > media/a`)
	assert.Greater(t, free("media"), 1<<20)
	require.NoError(t, m.service.Admin().ChangeTenant("default", func(t *admin.TenantSettings) error {
		t.Quota.MediaBytes = new(int64(81920))
		return nil
	}))
	m.sh(`"$PAPERFS" refresh .`)
	m.eventually(`df --output=avail media | grep -q '^ *40$'`)
	assert.Equal(t, 40960, free("media/d"))
	assert.Greater(t, free("papers"), 1<<20)
	assert.Greater(t, free("."), 1<<20)
}

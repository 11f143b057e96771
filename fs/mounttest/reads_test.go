package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestAnAccountThatMayOnlyReadHasAMountForReading checks that a write fails at once in the shell, from the first mount on and while
// the service is away, and that the account can write from the next mount on once it may.
func TestAnAccountThatMayOnlyReadHasAMountForReading(t *testing.T) {
	t.Parallel()
	fixture := servicetest.Start(t)
	as := func(role remote.Role) {
		_ = fixture.Admin().RemoveAccount("default", "clerk")
		key := testrun.Must(fixture.Admin().AddAccount("default", "clerk", role))(t)
		fixture.Username, fixture.Password = "clerk", key
	}
	as(remote.Reader)
	m := newMountOf(t, fixture)
	refused := func() {
		t.Helper()
		for _, gesture := range []string{`echo x > media/f`, `mkdir papers/R`, `touch media/f`} {
			assert.Contains(t, m.fails(gesture), "Read-only file system", gesture)
		}
		assert.Contains(t, m.sh(`cat .paperfs/status`), `"reads": true`)
	}
	refused()
	assert.Contains(t, m.stderr.String(), "the account may only read")
	m.sh(`ls papers media; grep "This mount is for reading" README.txt`)
	m.remount()
	refused()
	as(remote.Editor)
	m.remount()
	m.sh(`echo x > media/f && mkdir papers/A`)
	as(remote.Reader) // while it is mounted: the service refuses, and the next mount knows
	m.remount()
	m.sh(`"$PAPERFS" refresh .`)
	m.remount()
	refused()
}

// TestTheReadmeSaysWhatThisMountAllows compares README.txt with what programs can do.
func TestTheReadmeSaysWhatThisMountAllows(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo x > media/f && mv media/f media/g && grep "^mv renames" README.txt && grep "^rm and rmdir fail" README.txt`)
	assert.Contains(t, m.fails(`rm media/g`), "not permitted")
	m.sh(`grep "^A file is published when it is closed" README.txt && ! grep "{" README.txt && test "$(wc -c < README.txt)" = "$(stat -c %s README.txt)"`)
	m.remount("--allow-delete", "--write-back")
	m.sh(`ls papers media; rm media/g && grep "rm and rmdir delete. For 30 days" README.txt && grep "^A file is queued" README.txt`)
	m.remount("--only-twenty")
	m.sh(`"$PAPERFS" refresh . && grep "This service renames nothing" README.txt`)
	assert.Contains(t, m.fails(`mkdir papers/A && mv papers/A papers/B`), "not supported")
}

package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// TestQueueOfAnAccountThatIsRefused removes the account while files are queued. It checks that all
// of them stay queued, and that a remount with a new key sends them. A close that waits for its
// upload fails instead.
func TestQueueOfAnAccountThatIsRefused(t *testing.T) {
	t.Parallel()
	fixture := servicetest.Start(t)
	admin := fixture.Admin()
	m := newMountOn(t, fixture, writeBack)
	newKey := func() {
		m.stop()
		key, err := admin.AddAccount("default", "robot", remote.Editor)
		require.NoError(t, err)
		m.client, err = remote.New(remote.Options{BaseURL: m.proxy.URL, Username: "robot", Password: key})
		require.NoError(t, err)
		t.Cleanup(m.client.Close)
		m.start()
	}
	newKey()
	m.sh(`echo old > known; echo kept > kept`)
	m.drained()
	require.NoError(t, admin.RemoveAccount("default", "robot"))
	m.sh(`mkdir d; for i in 1 2 3 4 5 6; do echo $i > d/$i; done; echo new > known`)
	m.eventually(func() bool { return m.store.Status().Barred != nil })
	require.Empty(t, m.store.Failed())
	require.Equal(t, "new", m.sh(`cat known`))

	newKey()
	m.drained()
	want := map[string]string{"known": sum("new\n"), "kept": sum("kept\n")}
	for _, i := range []string{"1", "2", "3", "4", "5", "6"} {
		want["d/"+i] = sum(i + "\n")
	}
	require.Equal(t, want, m.atService())

	m.options = []func(*media.Options){}
	require.NoError(t, admin.RemoveAccount("default", "robot"))
	newKey()
	require.NoError(t, admin.RemoveAccount("default", "robot"))
	require.Contains(t, m.fails(`cp /etc/hostname direct`), "Permission denied")
}

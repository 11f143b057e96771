package apitest

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/testrun"
)

// TestRotatedKey checks that the new key works at once, that the old one works until the grace
// ends, and that client.env gets the new one.
func TestRotatedKey(t *testing.T) {
	t.Parallel()
	var later atomic.Int64 // added to the time
	s := start(t, func(o *service.Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	require.NoError(t, s.service.WriteClientEnv(s.http.URL, 7))
	administrator := s.admin()
	first := s.key
	second := testrun.Must(administrator.RotateAccount("default", s.user, 0))(t)
	require.Regexp(t, `^[0-9a-f]{64}$`, second)
	s.fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions)
	s.as(s.user, second).must(remote.GetSettingDescriptions)
	env := testrun.Must(datadir.ReadClientEnv(s.data))(t)
	require.Equal(t, datadir.ClientEnv{URL: s.http.URL, Username: s.user, Password: second, RPM: 7}, env)

	third := testrun.Must(administrator.RotateAccount("default", s.user, time.Hour))(t)
	for _, key := range []string{second, third} {
		s.as(s.user, key).must(remote.GetSettingDescriptions)
	}
	s.as(s.user, first).fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions)
	later.Store(int64(2 * time.Hour))
	s.as(s.user, second).fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions)
	s.as(s.user, third).must(remote.GetSettingDescriptions)

	_, err := administrator.RotateAccount("default", "nobody", 0)
	require.ErrorContains(t, err, "no account nobody")
}

// TestClientEnvFollowsItsAccountOnly checks that client.env stays unchanged if another account's
// key rotates, even one with the same name in another tenant.
func TestClientEnvFollowsItsAccountOnly(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, s.service.WriteClientEnv(s.http.URL, 0))
	administrator := s.admin()
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
	for tenant, name := range map[string]string{"default": "other", "acme": s.user} {
		testrun.Must(administrator.AddAccount(tenant, name, remote.Admin))(t)
		testrun.Must(administrator.RotateAccount(tenant, name, 0))(t)
		require.NoError(t, administrator.RemoveAccount(tenant, name))
	}
	s.must(remote.GetSettingDescriptions)
	env := testrun.Must(datadir.ReadClientEnv(s.data))(t)
	require.Equal(t, s.key, env.Password)

	require.NoError(t, administrator.RemoveAccount("default", s.user))
	require.NoFileExists(t, filepath.Join(s.data, "client.env"))
	require.NoError(t, s.service.WriteClientEnv(s.http.URL, 0), "it stays removed")
	_, err := datadir.ReadClientEnv(s.data)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "account add")
}

// TestClientEnvGoesByTheKey checks that a tenant with the host of client.env's address and an
// account of the same name does not affect client.env.
func TestClientEnvGoesByTheKey(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.NoError(t, s.service.WriteClientEnv("http://127.0.0.1:1", 0))
	administrator := s.admin()
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "loop", Hosts: []string{"127.0.0.1"}}))
	testrun.Must(administrator.AddAccount("loop", s.user, remote.Admin))(t)
	has := func(key string) {
		t.Helper()
		env := testrun.Must(datadir.ReadClientEnv(s.data))(t)
		require.Equal(t, key, env.Password)
	}
	testrun.Must(administrator.RotateAccount("loop", s.user, 0))(t)
	has(s.key)
	second := testrun.Must(administrator.RotateAccount("default", s.user, 0))(t)
	has(second)
	require.NoError(t, administrator.RemoveTenant("loop"))
	has(second)

	file := filepath.Join(s.data, "client.env")
	require.NoError(t, os.WriteFile(file, []byte("PAPERFS_USERNAME="+s.user+"\nPAPERFS_PASSWORD=lost\n"), 0o600))
	third := testrun.Must(administrator.RotateAccount("default", s.user, 0))(t)
	has(third) // an interrupted rotation left a key that belongs to no account
}

// TestGraceIsHeld checks that the old key works for the whole grace, and at most a second longer.
func TestGraceIsHeld(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[time.Time]
	now.Store(&clock)
	s := start(t, func(o *service.Options) { o.Now = func() time.Time { return *now.Load() } })
	administrator := s.admin()
	for _, grace := range []time.Duration{time.Millisecond, 500 * time.Millisecond, time.Second} {
		before := time.Now()
		key := testrun.Must(administrator.RotateAccount("default", s.user, grace))(t)
		last, over := before.Add(grace-1), time.Now().Add(grace+time.Second)
		now.Store(&last)
		s.must(remote.GetSettingDescriptions)
		now.Store(&over)
		s.fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions)
		s.key = key
	}
}

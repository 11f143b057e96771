package apitest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// callersStore counts the separate queries for a caller.
type callersStore struct {
	store.Store
	asked atomic.Int64
}

func (s *callersStore) Caller(ctx context.Context, host, account string) (store.Caller, error) {
	s.asked.Add(1)
	return s.Store.Caller(ctx, host, account)
}

// TestSmallChangesAskForTheirCallerThemselves checks that a small change looks up its caller in its
// own transaction. Only the first change, and a refused one, need a separate query.
func TestSmallChangesAskForTheirCallerThemselves(t *testing.T) {
	t.Parallel()
	s := start(t)
	counting := &callersStore{}
	s.wrapStore(func(real store.Store) store.Store {
		counting.Store = real
		return counting
	})
	upload := func(name string) { s.must(remote.UploadFile, "parentID", "0", "name", name, "base64File", "aGk=") }
	for i := range 5 {
		upload(fmt.Sprint(i))
	}
	require.EqualValues(t, 1, counting.asked.Load())
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	require.EqualValues(t, 1, counting.asked.Load())
	s.fails(remote.Failure, remote.UploadFile, "parentID", "x", "name", "f", "base64File", "aGk=")
	require.EqualValues(t, 2, counting.asked.Load())
	s.must(remote.GetTree)
	require.EqualValues(t, 3, counting.asked.Load())
	s.as(s.user, "wrong").fails(remote.LoginSecurityViolation, remote.UploadFile, "parentID", "0", "name", "f", "base64File", "aGk=")
	require.EqualValues(t, 4, counting.asked.Load())
	paper := s.paper(s.root(), "p")
	counting.asked.Store(0)
	s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2031-01-01", "to", "2031-02-01")
	s.must(remote.DeletePaper, "paperID", paper)
	require.Zero(t, counting.asked.Load())
}

// TestRememberedCallerIsRefusedAtOnce checks that a cached caller that has lost access gets the
// same answer as any other call, whatever is wrong with the upload.
func TestRememberedCallerIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	for name, change := range map[string]func() error{
		"account removed": func() error { return administrator.RemoveAccount("acme", "me") },
		"key rotated": func() error {
			_, err := administrator.RotateAccount("acme", "me", 0)
			return err
		},
		"another account of the name": func() error {
			if err := administrator.RemoveAccount("acme", "me"); err != nil {
				return err
			}
			_, err := administrator.AddAccount("acme", "me", remote.Admin)
			return err
		},
		"tenant removed": func() error { return administrator.RemoveTenant("acme") },
		"tenant without a host": func() error {
			return administrator.ChangeTenant("acme", func(t *admin.TenantSettings) error {
				t.Hosts = nil
				return nil
			})
		},
		"maintenance": func() error { return administrator.SetReadOnly(true) },
	} {
		t.Run(name, func(t *testing.T) {
			for kind, pairs := range map[string][]string{
				"no upload":    nil,
				"good":         {"parentID", "0", "name", "new", "base64File", "aGk="},
				"bad number":   {"parentID", "x", "name", "new", "base64File", "aGk="},
				"bad name":     {"parentID", "0", "name", "a/b", "base64File", "aGk="},
				"bad text":     {"parentID", "0", "name", "a\x01b", "base64File", "aGk="},
				"bad content":  {"parentID", "0", "name", "new", "base64File", "*"},
				"no directory": {"parentID", "999", "name", "new", "base64File", "aGk="},
			} {
				_ = administrator.RemoveTenant("acme") // left by the previous case
				require.NoError(t, administrator.SetReadOnly(false))
				acme := s.tenantNamed("acme")
				acme.must(remote.UploadFile, "parentID", "0", "name", "f", "base64File", "aGk=")
				require.NoError(t, change())
				want := acme.call(remote.CreateDirectory, "parentID", "0", "name", strings.Repeat("d", 256<<10)) // too large for the cached caller
				op := remote.UploadFile
				if pairs == nil {
					op, pairs = remote.CreateDirectory, []string{"parentID", "0", "name", "d"}
				}
				got := acme.call(op, pairs...)
				require.NotEqual(t, remote.Success, want.code)
				require.Equal(t, want.code, got.code, "%s: %s", kind, got.body)
				require.Equal(t, want.body, got.body, kind)
				require.Equal(t, http.StatusOK, got.status, kind)
			}
		})
	}
	require.NoError(t, administrator.SetReadOnly(false))
	require.False(t, s.must(remote.GetTree).has, "part of the upload is published")
}

// TestARememberedCallerIsJudgedAnew checks that a cached caller is not refused because of a
// maintenance window that has ended or a quota that was raised.
func TestARememberedCallerIsJudgedAnew(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	require.NoError(t, administrator.SetReadOnly(true))
	s.must(remote.GetTree) // caches this caller
	require.NoError(t, administrator.SetReadOnly(false))
	s.upload("0", "a", "content")

	s.quota(store.Quota{MediaBytes: new(int64(0))})
	s.must(remote.GetTree)
	s.quota(store.Quota{MediaBytes: new(int64(1 << 20))})
	s.upload("0", "b", "more content than there was")
}

// TestNoLongHostIsRemembered checks that long hosts are not cached: otherwise a caller with a key
// could fill the memory with names.
func TestNoLongHostIsRemembered(t *testing.T) {
	t.Parallel()
	s := start(t)
	counting := &callersStore{}
	s.wrapStore(func(real store.Store) store.Store {
		counting.Store = real
		return counting
	})
	for host, asked := range map[string]int64{strings.Repeat("a", 255): 1, strings.Repeat("a", 256): 3} {
		counting.asked.Store(0)
		for range 3 {
			s.at(host).must(remote.UploadFile, "parentID", "0", "name", "f", "base64File", "aGk=")
		}
		require.Equal(t, asked, counting.asked.Load(), "%d characters", len(host))
	}
}

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

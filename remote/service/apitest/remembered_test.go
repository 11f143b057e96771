package apitest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
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
				require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}}))
				key := testrun.Must(administrator.AddAccount("acme", "me", remote.Admin))(t)
				acme := s.as("me", key).at("acme.example")
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

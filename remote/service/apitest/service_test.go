package apitest

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/testrun"
)

func TestFirstStart(t *testing.T) {
	t.Parallel()
	s := quiet(t, filepath.Join(t.TempDir(), "data")) // without a database that is migrated already
	info := testrun.Must(os.Stat(filepath.Join(s.data, "client.env")))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.Equal(t, "APIKey", s.user)
	require.Regexp(t, `^[0-9a-f]{64}$`, s.key)
	require.NoError(t, s.service.WriteClientEnv("http://127.0.0.1:4711", 45))
	env := testrun.Must(datadir.ReadClientEnv(s.data))(t)
	require.Equal(t, datadir.ClientEnv{URL: "http://127.0.0.1:4711", Username: s.user, Password: s.key, RPM: 45}, env)

	key := s.key
	s.reopen()
	require.Equal(t, key, s.key)
	s.must(remote.GetSettingDescriptions)
	files := testrun.Must(filepath.Glob(filepath.Join(s.data, "service.db*")))(t)
	for _, file := range files {
		require.False(t, bytes.Contains(testrun.Must(os.ReadFile(file))(t), []byte(key)), "%s contains the key", file)
	}

	require.NoError(t, os.Remove(filepath.Join(s.data, "client.env")))
	require.NoError(t, s.service.WriteClientEnv("http://127.0.0.1:1", 0))
	_, err := datadir.ReadClientEnv(s.data)
	require.ErrorIs(t, err, os.ErrNotExist, "a removed file stays removed")
}

func TestSecondService(t *testing.T) {
	t.Parallel()
	s := start(t)
	_, err := service.Open(s.options)
	var held *datadir.HeldError
	require.True(t, errors.As(err, &held), "%v", err)
	require.Equal(t, os.Getpid(), held.PID)
	require.Equal(t, s.data, held.Dir)
	s.must(remote.GetSettingDescriptions) // the first service still works
	s.reopen()
}

// TestUnusableDatabase checks that Open names the file that it cannot open, and unlocks the
// directory.
func TestUnusableDatabase(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	file := filepath.Join(data, "service.db")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("no database ", 100)), 0o600))
	_, err := service.Open(service.Options{Data: data})
	require.ErrorContains(t, err, "is not a database of paperfs")
	require.NoError(t, os.Remove(file))
	s := start(t, func(o *service.Options) { o.Data = data })
	s.must(remote.GetSettingDescriptions)
}

func TestAdminNeedsData(t *testing.T) {
	t.Parallel()
	_, err := admin.Open(t.TempDir())
	require.ErrorContains(t, err, "paperfs serve")
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	key := testrun.Must(administrator.AddAccount("default", "reader", remote.Reader))(t)
	require.Regexp(t, `^[0-9a-f]{64}$`, key)
	_, err := administrator.AddAccount("default", "reader", remote.Admin)
	require.ErrorContains(t, err, "already")
	for _, name := range []string{"", "a b", "a\x00", strings.Repeat("x", 256)} {
		_, err = administrator.AddAccount("default", name, remote.Admin)
		require.Error(t, err, "%q", name)
	}
	_, err = administrator.AddAccount("nobody", "reader", remote.Admin)
	require.ErrorContains(t, err, "no tenant nobody")
	all := testrun.Must(administrator.Accounts("default"))(t)
	require.Equal(t, []admin.Account{{ID: 1, Name: "APIKey", Role: remote.Admin}, {ID: 2, Name: "reader", Role: remote.Reader}}, all)
	s.as("reader", key).must(remote.GetSettingDescriptions)
	require.NoError(t, administrator.RemoveAccount("default", "reader"))
	require.Error(t, administrator.RemoveAccount("default", "reader"))
	s.as("reader", key).fails(remote.LoginSecurityViolation, remote.GetSettingDescriptions)
}

func TestLogHasNoCredentials(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := start(t, func(o *service.Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	s.by(http.MethodGet, remote.GetAllPapers, "paperID", "1")
	s.as(s.user, "wrong-password").by(http.MethodGet, remote.GetAllPapers, "paperID", "1")
	s.as("typed-in-the-wrong-place", s.key).by(http.MethodGet, remote.GetAllPapers, "paperID", "1")
	s.send(http.MethodGet, "/somewhere/", params("SecurityToken", "secret-token"))
	s.send(http.MethodGet, "/V2/Paper.asmx/Nothing", params("plPassword", "wrong-password"))
	s.close()
	text := log.String()
	require.Contains(t, text, "operation=GetAllPapers")
	require.Contains(t, text, "code=LOGIN_SECURITY_VIOLATION")
	require.Equal(t, 1, strings.Count(text, "account="+s.user), "the log names the account whose key was good")
	for _, secret := range []string{"typed-in-the-wrong-place", s.key, "wrong-password", "secret-token"} {
		require.NotContains(t, text, secret)
	}
}

package service_test

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
)

// content requests the bytes of a media file.
func (s *server) content(method, id, version string, header ...string) reply {
	s.t.Helper()
	form := s.credentials(remote.GetContent)
	form.Set("fileID", id)
	form.Set("version", version)
	address, body := s.http.URL+remote.GetContent.Path(), form.Encode()
	if method == http.MethodGet {
		address, body = address+"?"+body, ""
	}
	req, err := http.NewRequest(method, address, strings.NewReader(body))
	require.NoError(s.t, err)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.do(req)
}

// past counts the earlier versions that the service keeps.
func (s *server) past() (count int) {
	const query = `SELECT count(*) FROM media_past`
	if database := s.place().Database(); database != "" {
		db, err := pgx.Connect(s.t.Context(), database)
		require.NoError(s.t, err)
		defer db.Close(s.t.Context())
		require.NoError(s.t, db.QueryRow(s.t.Context(), query).Scan(&count))
		return count
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.data, "service.db")+"?mode=ro")
	require.NoError(s.t, err)
	defer db.Close()
	require.NoError(s.t, db.QueryRow(query).Scan(&count))
	return count
}

// TestGetContent reads the newest version and earlier ones, in whole and in part.
func TestGetContent(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, size := range []int{0, 10, 100_000} {
		name := fmt.Sprint("a", size, ".xml")
		text := func(letter string) string { return strings.Repeat(letter, size) + "." }
		r := s.succeeds(s.uploadIf("none", name, text("1")))
		id := r.element(t, "fileid")
		versions := []string{r.element(t, "version")}
		for _, letter := range []string{"2", "3"} {
			versions = append(versions, s.succeeds(s.uploadIf(versions[len(versions)-1], name, text(letter))).element(t, "version"))
		}
		require.Equal(t, text("3"), s.content(http.MethodPost, id, "").body)
		for i, version := range versions {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				want := text(fmt.Sprint(i + 1))
				got := s.content(method, id, version)
				require.Equal(t, http.StatusOK, got.status)
				require.Equal(t, want, got.body)
				require.Equal(t, "application/octet-stream", got.header.Get("Content-Type"))
				tag := fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(want)))
				require.Equal(t, tag, got.header.Get("ETag"))
				part := s.content(method, id, version, "Range", fmt.Sprintf("bytes=%d-", size))
				require.Equal(t, http.StatusPartialContent, part.status)
				require.Equal(t, ".", part.body)
				require.Equal(t, http.StatusPreconditionFailed, s.content(method, id, version, "If-Match", `"other"`).status)
			}
		}
		require.Equal(t, http.StatusNotModified, s.content(http.MethodGet, id, "", "If-None-Match", s.content(http.MethodGet, id, "").header.Get("ETag")).status)
	}
	s.reopen()
	tree := s.must(remote.GetTree)
	id := tree.attribute(t, "fileid")
	for _, wrong := range [][]string{{"999", ""}, {"999", "1"}, {id, "1"}, {id, "x"}, {"0", ""}} {
		r := s.content(http.MethodPost, wrong[0], wrong[1])
		require.Equal(t, remote.Failure, r.code, wrong)
	}
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example"}}))
	key, err := s.admin().AddAccount("other", "reader", remote.Reader)
	require.NoError(t, err)
	require.Equal(t, remote.Failure, s.at("other.example").as("reader", key).content(http.MethodPost, id, "").code)
	require.Equal(t, remote.LoginSecurityViolation, s.as(s.user, "wrong").content(http.MethodPost, id, "").code)
}

// TestPastContentIsForgotten checks what is kept of replaced content, and for how long.
func TestPastContentIsForgotten(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	s := start(t, func(o *service.Options) {
		o.Now = func() time.Time { return clock.Add(time.Duration(later.Load())) }
	})
	first := s.succeeds(s.uploadIf("none", "a", strings.Repeat("1", 100_000)))
	id, version := first.element(t, "fileid"), first.element(t, "version")
	s.upload("0", "b", "over")
	s.upload("0", "a", "2")
	later.Store(int64(time.Hour))
	s.succeeds(s.move(remote.MoveFile, "2", "0", "a", "replace", "true"))
	require.Equal(t, 2, s.past())
	require.Equal(t, int64(4), s.used().MediaBytes, "it counts to no quota")
	sound := func() {
		if s.place().Database() == "" {
			s.sound()
		}
	}
	sound()
	later.Store(int64(24 * time.Hour))
	require.False(t, service.ForgetPast(s.service))
	require.Len(t, s.content(http.MethodPost, id, version).body, 100_000)
	later.Store(int64(24*time.Hour + time.Second))
	require.True(t, service.ForgetPast(s.service))
	require.Equal(t, 1, s.past())
	s.keeps(1)
	require.Equal(t, remote.Failure, s.content(http.MethodPost, id, version).code)
	sound()
	later.Store(int64(25*time.Hour + time.Second))
	require.True(t, service.ForgetPast(s.service))
	require.Zero(t, s.past())
}

// TestAFullDiskForgetsThePast checks that replaced content does not keep an upload from a full disk.
func TestAFullDiskForgetsThePast(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	var s *server
	s = start(t, func(o *service.Options) { o.NoRoom = func() bool { return s != nil && s.past() > 0 } })
	for i := range 3 {
		s.upload("0", "a", strings.Repeat(fmt.Sprint(i), 100_000))
	}
	require.Equal(t, 1, s.past())
	s.upload("0", "b", "small")
	require.Zero(t, s.past())
	s.keeps(2)
}

// TestMuchIsForgottenInParts checks content of more versions than one change forgets.
func TestMuchIsForgottenInParts(t *testing.T) {
	t.Parallel()
	s := start(t)
	const count = 4500
	db := s.place().Beside(t)
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		id, err := tx.AddFile(1, store.File{Name: "a", Small: []byte{}})
		for range count {
			if err == nil {
				_, err = tx.SetContent(id, store.File{Small: []byte{}}, clock.Add(-25*time.Hour))
			}
		}
		return err
	}))
	require.Equal(t, count, s.past())
	require.True(t, service.ForgetPast(s.service))
	require.Zero(t, s.past())
}

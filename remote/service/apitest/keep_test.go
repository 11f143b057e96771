package apitest

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
	"paperfs/remote/testrun"
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
	req := testrun.Must(http.NewRequest(method, address, strings.NewReader(body)))(s.t)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.do(req)
}

// heldBack counts the contents that the service keeps of what was taken away.
func (s *server) heldBack() (count int) {
	const query = `SELECT count(*) FROM kept WHERE kind = 1 AND holds = 1`
	if database := s.place().Database(); database != "" {
		db := testrun.Must(pgx.Connect(s.t.Context(), database))(s.t)
		defer db.Close(s.t.Context())
		require.NoError(s.t, db.QueryRow(s.t.Context(), query).Scan(&count))
		return count
	}
	db := testrun.Must(sql.Open("sqlite", "file:"+filepath.Join(s.data, "service.db")+"?mode=ro"))(s.t)
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
	key := testrun.Must(s.admin().AddAccount("other", "reader", remote.Reader))(t)
	require.Equal(t, remote.Failure, s.at("other.example").as("reader", key).content(http.MethodPost, id, "").code)
	require.Equal(t, remote.LoginSecurityViolation, s.as(s.user, "wrong").content(http.MethodPost, id, "").code)
}

// TestContentIsKept checks what is kept of replaced and deleted content, for how long, and how much.
func TestContentIsKept(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	s := start(t, func(o *service.Options) {
		o.Now = func() time.Time { return clock.Add(time.Duration(later.Load())) }
	})
	const day = 24 * time.Hour
	after := func(d time.Duration) { later.Store(int64(d)) }
	sound := func() {
		if s.place().Database() == "" {
			s.sound()
		}
	}
	set := func(days, bytes *int64) {
		require.NoError(t, s.admin().ChangeTenant("default", func(t *admin.TenantSettings) error { t.Keep = store.Keep{Days: days, Bytes: bytes}; return nil }))
	}
	first := s.succeeds(s.uploadIf("none", "a", strings.Repeat("1", 100_000)))
	id, version := first.element(t, "fileid"), first.element(t, "version")
	second := s.succeeds(s.uploadIf(version, "a", "2")).element(t, "version")
	require.Equal(t, second, s.succeeds(s.uploadIf(second, "A", "2")).element(t, "version"), "the same content is no other version")
	after(time.Hour)
	s.must(remote.DeleteFile, "fileID", id)
	require.Equal(t, 2, s.heldBack())
	require.Zero(t, s.used().MediaBytes, "it counts to no quota")
	require.Equal(t, "2", s.content(http.MethodPost, id, second).body)
	require.Equal(t, http.StatusNotFound, s.get(s.http.URL+"/media/"+id+"/a").status)
	sound()
	after(30 * day)
	require.False(t, s.inside().Purge())
	require.Len(t, s.content(http.MethodPost, id, version).body, 100_000)
	after(30*day + time.Second)
	require.True(t, s.inside().Purge())
	require.Equal(t, 1, s.heldBack())
	require.Equal(t, remote.Failure, s.content(http.MethodPost, id, version).code)
	sound()

	set(new(int64(2)), new(int64(1000)))
	require.True(t, s.inside().Purge())
	require.Zero(t, s.heldBack())
	for _, content := range []string{"x", strings.Repeat("y", 600), strings.Repeat("z", 600)} {
		s.upload("0", "b", content)
	}
	id = s.upload("0", "b", "")
	require.True(t, s.inside().Purge())
	require.Equal(t, 1, s.heldBack(), "the older ones are more than 1000 bytes with the newest")
	set(new(int64(0)), nil)
	s.must(remote.DeleteFile, "fileID", id)
	large := s.upload("0", "large", strings.Repeat("l", 100_000))
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	s.must(remote.DeleteDirectory, "directoryID", "1")
	s.must(remote.DeleteFile, "fileID", large)
	require.Equal(t, 1, s.heldBack(), "deleted content is not kept")
	require.Equal(t, id, s.upload("0", "b", "again"), "its id is")
	after(31*day + time.Second)
	require.False(t, s.inside().Purge(), "replaced content is kept for a day")
	after(31*day + 2*time.Second)
	require.True(t, s.inside().Purge())
	require.Zero(t, s.heldBack())
	s.keeps(1)
	sound()
}

// TestAFullDiskPurges checks that what is kept does not keep an upload from a full disk, and that the
// oldest goes first.
func TestAFullDiskPurges(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	var s *server
	var most atomic.Int64
	most.Store(100)
	s = start(t, func(o *service.Options) {
		o.NoRoom = func() bool { return s != nil && s.heldBack() > int(most.Load()) }
	})
	last := ""
	for i := range 4 {
		s.upload("0", "a", strings.Repeat(fmt.Sprint(i), 100_000))
		last = s.versions(remote.GetTree, "version")["a"]
	}
	kept := s.upload("0", "a", "end")
	s.must(remote.DeleteFile, "fileID", s.upload("0", "c", strings.Repeat("c", 100_000)))
	require.Equal(t, 5, s.heldBack())
	most.Store(3)
	s.upload("0", "b", "small")
	require.Equal(t, 2, s.heldBack())
	require.Equal(t, strings.Repeat("3", 100_000), s.content(http.MethodPost, kept, last).body)
	most.Store(0)
	s.upload("0", "b", "smaller")
	require.Equal(t, 1, s.heldBack(), "what the upload replaced")
	require.Equal(t, "4", s.upload("0", "d", ""))
	require.Zero(t, s.heldBack())
	s.keeps(3)
}

// TestDeletionsOfADayAreSpared checks that a tenant without a figure of its own keeps all that it deleted within a day.
func TestDeletionsOfADayAreSpared(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	s := start(t, func(o *service.Options) {
		o.Now = func() time.Time { return clock.Add(time.Duration(later.Load())) }
	})
	*s.inside().LeastKept = 1000
	for i := range 3 {
		s.must(remote.DeleteFile, "fileID", s.upload("0", "a", strings.Repeat("a", 900+i)))
	}
	later.Store(int64(versionDay))
	require.False(t, s.inside().Purge())
	require.Equal(t, 3, s.heldBack())
	later.Store(int64(versionDay + time.Second))
	require.True(t, s.inside().Purge())
	require.Equal(t, 1, s.heldBack(), "the older ones are more than 1000 bytes with the newest")
}

const versionDay = 24 * time.Hour

// TestRoomComesFromWhoKeepsMost lets one tenant keep what it deleted, and another one replace a file over and over: when the
// disk is full, the second one's oldest versions go. Where each keeps more than its own figure, that goes first.
func TestRoomComesFromWhoKeepsMost(t *testing.T) {
	t.Parallel()
	s := start(t)
	theirs := s.tenantNamed("other")
	mine := []string{s.upload("0", "a", strings.Repeat("a", 2000)), s.upload("0", "b", strings.Repeat("b", 2000))}
	theirs.upload("0", "busy", "")
	for i := range 8 {
		theirs.upload("0", "busy", strings.Repeat(fmt.Sprint(i), 1000))
	}
	for _, id := range mine {
		s.must(remote.DeleteFile, "fileID", id)
	}
	left := func(of *server) int { return len(of.deleted()) }
	require.Equal(t, 8, left(theirs))
	require.True(t, s.inside().MakeRoom())
	require.Equal(t, 3, left(theirs), "half of 7000 bytes")
	require.Equal(t, 2, left(s))
	require.NoError(t, s.admin().ChangeTenant("other", func(t *admin.TenantSettings) error { t.Keep.Bytes = new(int64(1000)); return nil }))
	require.True(t, s.inside().MakeRoom())
	require.Equal(t, 1, left(theirs), "its own figure")
	require.Equal(t, 2, left(s), "it keeps most, but no more than its figure")
	require.True(t, s.inside().MakeRoom())
	require.Equal(t, 1, left(theirs))
	require.Equal(t, 1, left(s))
}

// TestMuchIsPurgedInParts checks more entries than one change purges.
func TestMuchIsPurgedInParts(t *testing.T) {
	t.Parallel()
	s := start(t)
	const count = 4500
	db := s.place().Beside(t)
	require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		id, err := tx.AddFile(1, store.File{Name: "a", Small: []byte{}})
		for range count {
			if err == nil {
				_, err = tx.SetContent(id, store.File{Small: []byte{}}, store.By{At: clock.Add(-31 * 24 * time.Hour)})
			}
		}
		return err
	}))
	require.Equal(t, count, s.heldBack())
	require.True(t, s.inside().Purge())
	require.Zero(t, s.heldBack())
}

package apitest

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// entry is what GetDeleted and Restore tell of an entry.
type entry struct {
	What    string `xml:"what,attr"`
	Kind    string `xml:"kind,attr"`
	Entry   string `xml:"entryid,attr"`
	ID      string `xml:"id,attr"`
	Name    string `xml:"name,attr"`
	Path    string `xml:"path,attr"`
	Time    string `xml:"time,attr"`
	Account string `xml:"account,attr"`
	Bytes   int64  `xml:"bytes,attr"`
	Version string `xml:"version,attr"`
	Reason  string `xml:"reason,attr"`
}

func (e entry) String() string {
	return strings.TrimSpace(fmt.Sprint(e.What, " ", e.Kind, " ", e.Path))
}

// entries reads the elements of an answer with a name.
func (r reply) entries(t testing.TB, name string) (all []entry) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<data>" + r.data + "</data>"))
	for {
		token, err := d.Token()
		if err != nil {
			return all
		}
		if e, is := token.(xml.StartElement); is && e.Name.Local == name {
			var one entry
			require.NoError(t, d.DecodeElement(&one, &e))
			all = append(all, one)
		}
	}
}

// deleted lists entries, newest first.
func (s *server) deleted(pairs ...string) []entry {
	s.t.Helper()
	return s.must(remote.GetDeleted, pairs...).entries(s.t, "entry")
}

// listedEntries returns entries as text.
func listedEntries(all []entry) (text []string) {
	for _, e := range all {
		text = append(text, e.String())
	}
	return text
}

// account adds an account of the tenant default.
func (s *server) account(name string, role remote.Role) *server {
	s.t.Helper()
	key := testrun.Must(s.admin().AddAccount("default", name, role))(s.t)
	return s.as(name, key)
}

// TestGetDeleted lists what changes took away, and reads it.
func TestGetDeleted(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Empty(t, s.deleted())
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	s.must(remote.CreateDirectory, "parentID", "1", "name", "E")
	id := s.upload("2", "f", "1")
	s.upload("2", "F", strings.Repeat("2", 100_000))
	s.upload("2", "f", strings.Repeat("2", 100_000))
	other := s.upload("0", "d.txt", "x")
	s.must(remote.DeleteFile, "fileID", id)
	s.must(remote.DeleteDirectory, "directoryID", "2")
	s.must(remote.DeleteDirectory, "directoryID", "1")
	s.must(remote.DeleteFile, "fileID", other)
	all := s.deleted()
	require.Equal(t, []string{"deleted file /media/d.txt", "deleted directory /media/d", "deleted directory /media/d/E", "deleted file /media/d/E/f", "replaced file /media/d/E/f"}, listedEntries(all))
	require.Equal(t, entry{What: "deleted", Kind: "file", Entry: all[3].Entry, ID: id, Name: "f", Path: "/media/d/E/f", Time: "2031-05-04 10:00:00", Account: s.user, Bytes: 100_000}, all[3])
	require.Equal(t, listedEntries(all[1:]), listedEntries(s.deleted("path", "/media/D/")))
	require.Equal(t, listedEntries(all[3:4]), listedEntries(s.deleted("path", "/media/d/e/F", "limit", "1")))
	require.Empty(t, s.deleted("since", "2031-05-04 10:00:01"))
	require.Len(t, s.deleted("since", "2031-05-04 10:00:00"), 5)
	for _, wrong := range [][]string{{"since", "now"}, {"limit", "0"}} {
		require.Equal(t, remote.Failure, s.call(remote.GetDeleted, wrong...).code)
	}

	read := func(s *server, entry string) reply { return s.call(remote.GetContent, "entryID", entry) }
	require.Equal(t, "1", read(s, all[4].Entry).body)
	require.Len(t, read(s, all[3].Entry).body, 100_000)
	require.Equal(t, remote.Failure, read(s, all[1].Entry).code, "a directory")
	require.Equal(t, remote.Failure, read(s, "999").code)
	reader := s.account("reader", remote.Reader)
	require.Equal(t, remote.LoginSecurityViolation, read(reader, all[4].Entry).code)
	require.Equal(t, remote.LoginSecurityViolation, reader.call(remote.GetDeleted).code)

	require.Equal(t, other, s.upload("0", "d.txt", "again"))
	require.Equal(t, "replaced file /media/d.txt", listedEntries(s.deleted())[0], "its id was taken up")
}

// TestRestoreMedia brings back files and directories, one at a time.
func TestRestoreMedia(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	s.must(remote.CreateDirectory, "parentID", "1", "name", "e")
	for _, content := range []string{"small", strings.Repeat("large", 20_000), ""} {
		id := s.upload("2", "f", "first")
		s.upload("2", "f", content)
		address := s.versionedAddress("f")
		version := s.versions(remote.GetTree, "version")["f"]
		s.must(remote.DeleteFile, "fileID", id)
		s.must(remote.DeleteDirectory, "directoryID", "2")
		s.must(remote.DeleteDirectory, "directoryID", "1")
		all := s.deleted()
		r := s.must(remote.Restore, "entryID", all[2].Entry)
		back := r.entries(t, "restored")
		require.Equal(t, []string{"1", "2", id}, []string{back[0].ID, back[1].ID, back[2].ID}, "parents come first")
		require.Equal(t, []string{"directory 1 d", "directory 2 d/e", "file " + id + " d/e/f"}, s.places())
		require.Equal(t, content, s.get(address).body)
		require.Equal(t, int64(len(content)), s.used().MediaBytes)
		now := s.versions(remote.GetTree, "version")["f"]
		require.NotEqual(t, version, now)
		require.Equal(t, now, back[2].Version)
		all = s.deleted()
		require.Equal(t, []string{"replaced file /media/d/e/f"}, listedEntries(all)[:1])
		require.Equal(t, remote.Failure, s.call(remote.Restore, "entryID", all[0].Entry, "name", "x").code)
		s.must(remote.Restore, "entryID", all[0].Entry)
		require.Equal(t, "first", s.get(address).body, "the replaced content is the newest")
		require.Equal(t, []string{"replaced file /media/d/e/f"}, listedEntries(s.deleted("limit", "1")))
		require.Equal(t, content, s.content(http.MethodPost, id, now).body, "what was there is kept")
		s.must(remote.DeleteFile, "fileID", id)
		for _, e := range s.deleted() {
			s.must(remote.Purge, "entryID", e.Entry)
			require.Equal(t, remote.Failure, s.call(remote.Purge, "entryID", e.Entry).code)
		}
		require.Empty(t, s.deleted())
	}
	s.keeps(0)
	if s.place().Database() == "" {
		s.sound()
	}
}

// TestRestoreElsewhere restores files, directories and papers to other places than they had.
func TestRestoreElsewhere(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "e")
	file := s.upload("1", "f", "one")
	s.must(remote.DeleteFile, "fileID", file)
	gone := s.deleted()[0].Entry
	for _, wrong := range [][]string{{"parentID", "99"}, {"parentID", "x"}, {"parentID", "0", "name", "a/b"}} {
		require.Equal(t, remote.Failure, s.call(remote.Restore, append([]string{"entryID", gone}, wrong...)...).code, wrong)
	}
	require.Equal(t, file, s.upload("1", "f", "two"), "its id was taken up")
	require.Equal(t, remote.Failure, s.call(remote.Restore, "entryID", gone, "parentID", "0").code, "it was replaced")
	s.must(remote.Restore, "entryID", gone)
	s.must(remote.DeleteFile, "fileID", file)
	s.must(remote.DeleteDirectory, "directoryID", "1")
	all := s.deleted()
	s.must(remote.Restore, "entryID", all[1].Entry, "parentID", "0", "name", "g")
	s.must(remote.Restore, "entryID", all[0].Entry, "parentID", "2")
	require.Equal(t, []string{"directory 2 e", "directory 1 e/d", "file " + file + " g"}, s.places())
	require.Equal(t, remote.Failure, s.call(remote.Restore, "entryID", s.deleted()[0].Entry, "parentID", "2").code, "it was replaced")
	require.Equal(t, remote.Failure, s.call(remote.Restore, "path", "/media", "since", "2031-01-01", "parentID", "2").code)

	garden := s.category(s.root(), "garden")
	paper := s.paper(garden, "spring")
	s.must(remote.DeletePaper, "paperID", paper)
	s.must(remote.DeletePaper, "paperID", garden)
	all = s.deleted()
	require.Equal(t, remote.PaperDoesNotExist, s.call(remote.Restore, "entryID", all[1].Entry, "parentID", garden).code)
	s.must(remote.Restore, "entryID", all[1].Entry, "parentID", s.root(), "name", "Summer")
	require.Equal(t, "/spring/", s.must(remote.GetPaperUrlFromID, "paperID", paper).attribute(t, "url"))
	require.Equal(t, remote.Failure, s.call(remote.Restore, "entryID", all[0].Entry, "parentID", paper).code, "a paper holds none")
}

// TestRestoreBesideOthers restores where names are taken, parents are others, or nothing fits.
func TestRestoreBesideOthers(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	one := s.upload("1", "f", "one")
	s.must(remote.MoveFile, "fileID", one, "parentID", "1", "name", "g")
	s.must(remote.DeleteFile, "fileID", one)
	gone := s.deleted()[0].Entry
	other := s.upload("1", "G2", "other")
	s.must(remote.MoveFile, "fileID", other, "parentID", "1", "name", "G")
	s.conflicts(s.call(remote.Restore, "entryID", gone), other)
	require.Equal(t, remote.Failure, s.call(remote.Restore, "entryID", gone, "name", "a/b").code)
	require.Equal(t, one, s.must(remote.Restore, "entryID", gone, "name", "h").attribute(t, "id"))
	require.Equal(t, []string{"directory 1 d", "file " + other + " d/G", "file " + one + " d/h"}, s.places())

	for _, id := range []string{one, other} {
		s.must(remote.DeleteFile, "fileID", id)
	}
	s.must(remote.DeleteDirectory, "directoryID", "1")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "D")
	all := s.deleted()
	s.conflicts(s.call(remote.Restore, "entryID", all[0].Entry), "2")
	s.must(remote.Purge, "entryID", all[0].Entry)
	require.Equal(t, []string{"deleted file /media/d/G", "deleted file /media/d/h"}, listedEntries(s.deleted()))
	s.must(remote.Restore, "entryID", all[1].Entry)
	require.Equal(t, []string{"directory 2 D", "file " + other + " D/G"}, s.places(), "another directory has the name")
	s.must(remote.DeleteFile, "fileID", other)
	s.must(remote.DeleteDirectory, "directoryID", "2")
	s.quota(store.Quota{MediaBytes: new(int64(4))})
	r := s.call(remote.Restore, "entryID", s.deleted("path", "/media/d/g")[0].Entry)
	require.Contains(t, r.data, `<full what="quota" />`)
	s.must(remote.Restore, "entryID", all[2].Entry)
	require.Equal(t, []string{"directory 1 d", "file " + one + " d/h"}, s.places(), "a purged directory is back with what was in it")
}

// TestOthersEntries checks who may restore and purge what others took away, and that tenants are apart.
func TestOthersEntries(t *testing.T) {
	t.Parallel()
	s := start(t)
	editor := s.account("editor", remote.Editor)
	colleague := s.account("colleague", remote.Editor)
	for _, op := range []*remote.Operation{remote.Restore, remote.Purge} {
		s.must(remote.CreateDirectory, "parentID", "0", "name", op.Name)
		dir := s.must(remote.GetTree).attribute(t, "directoryid")
		editor.must(remote.DeleteDirectory, "directoryID", dir)
		e := colleague.deleted()[0]
		require.Equal(t, "editor", e.Account)
		require.Equal(t, remote.LoginSecurityViolation, colleague.call(op, "entryID", e.Entry).code)
		require.NoError(t, s.admin().ChangeTenant("default", func(*admin.TenantSettings) error { return nil }))
		if op == remote.Restore {
			require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example"}}))
			key := testrun.Must(s.admin().AddAccount("other", "editor", remote.Admin))(t)
			there := s.at("other.example").as("editor", key)
			require.Empty(t, there.deleted())
			require.Equal(t, remote.Failure, there.call(op, "entryID", e.Entry).code)
			require.Equal(t, remote.Failure, there.call(remote.Purge, "entryID", e.Entry).code)
		}
		s.must(op, "entryID", e.Entry)
		if op == remote.Restore {
			s.must(remote.DeleteDirectory, "directoryID", dir)
		}
	}
	offers := s.must(remote.GetTree).header.Get(remote.OffersHeader)
	require.Equal(t, "versions, moves, deleted=30, events, raw, pageviews, pages, manage, copies, rate=0", offers)
}

// TestRestoreAllLeavesWhatOthersMade checks that it replaces nothing that another account has uploaded since.
func TestRestoreAllLeavesWhatOthersMade(t *testing.T) {
	t.Parallel()
	s := start(t)
	ours, theirs := s.account("ours", remote.Editor), s.account("theirs", remote.Editor)
	id := ours.upload("0", "u", "v1")
	ours.upload("0", "u", "v2")
	theirs.upload("0", "u", "v3")
	undo := func(a *server, restored int, want string) reply {
		r := a.must(remote.Restore, "path", "/media", "since", "2000-01-01 00:00:00")
		require.Len(t, r.entries(t, "restored"), restored, r.data)
		require.Equal(t, want, s.content(http.MethodPost, id, "").body)
		return r
	}
	r := undo(ours, 0, "v3")
	require.Len(t, r.entries(t, "left"), 1)
	require.Contains(t, r.data, "another account has changed it since")
	ours.upload("0", "u", "v4")
	ours.upload("0", "u", "v5")
	undo(ours, 1, "v3")
	undo(theirs, 1, "v2")
	undo(ours, 1, "v1")
}

// TestRestoreAllLeavesWhatOthersCreated checks that it replaces no file that another account has created since under
// the name of a deleted one, but what the account itself has written after it removed a file.
func TestRestoreAllLeavesWhatOthersCreated(t *testing.T) {
	t.Parallel()
	s := start(t)
	ours, theirs := s.account("ours", remote.Editor), s.account("theirs", remote.Editor)
	undo := func(id, want string, restored, left int) {
		t.Helper()
		r := ours.must(remote.Restore, "path", "/media", "since", "2000-01-01 00:00:00")
		require.Len(t, r.entries(t, "restored"), restored, r.data)
		require.Len(t, r.entries(t, "left"), left, r.data)
		require.Equal(t, want, s.content(http.MethodPost, id, "").body)
	}
	id := ours.upload("0", "u", "v1")
	ours.must(remote.DeleteFile, "fileID", id)
	require.Equal(t, id, ours.upload("0", "u", "v2"))
	undo(id, "v1", 1, 0)
	ours.must(remote.DeleteFile, "fileID", id)
	require.Equal(t, id, theirs.upload("0", "u", "v3"))
	undo(id, "v3", 0, 1)
	ours.upload("0", "u", "v4")
	undo(id, "v3", 1, 0)
	undo(id, "v3", 0, 1)
	theirs.must(remote.DeleteFile, "fileID", id)
	require.Equal(t, id, ours.upload("0", "u", "v5"))
	undo(id, "v5", 0, 1)
}

// TestRestoreAll undoes what an account took away at or below a path.
func TestRestoreAll(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	s := start(t, func(o *service.Options) {
		o.Now = func() time.Time { return clock.Add(time.Duration(later.Load())) }
	})
	editor := s.account("editor", remote.Editor)
	s.must(remote.CreateDirectory, "parentID", "0", "name", "top")
	s.must(remote.CreateDirectory, "parentID", "1", "name", "a")
	s.must(remote.CreateDirectory, "parentID", "2", "name", "b")
	ids := map[string]string{}
	for dir, names := range map[string]string{"0": "x", "1": "pqr", "2": "s", "3": "t"} {
		for _, name := range strings.Split(names, "") {
			ids[name] = editor.upload(dir, name, name+"1")
		}
	}
	editor.upload("1", "p", "p2")
	before := s.places()
	later.Store(int64(time.Hour))
	editor.upload("1", "p", "p3")
	editor.upload("1", "p", "p4")
	s.upload("1", "q", "of another account")
	editor.must(remote.DeleteFile, "fileID", ids["p"])
	editor.must(remote.DeleteFile, "fileID", ids["r"])
	for _, name := range []string{"s", "t", "x"} {
		editor.must(remote.DeleteFile, "fileID", ids[name])
	}
	editor.must(remote.DeleteDirectory, "directoryID", "3")
	editor.must(remote.DeleteDirectory, "directoryID", "2")
	taken := s.upload("1", "other", "r2")
	s.must(remote.MoveFile, "fileID", taken, "parentID", "1", "name", "r")

	since := []string{"since", "2031-05-04 11:00:00"}
	require.Equal(t, remote.Failure, editor.call(remote.Restore, "path", "/media").code)
	require.Equal(t, remote.Failure, editor.call(remote.Restore, append(since, "path", "/media", "name", "n")...).code)
	r := editor.must(remote.Restore, append(since, "path", "/media/top")...)
	require.Len(t, r.entries(t, "restored"), 5, r.data)
	left := r.entries(t, "left")
	require.Len(t, left, 1)
	require.Equal(t, "/media/top/r", left[0].Path)
	s.must(remote.MoveFile, "fileID", taken, "parentID", "0", "name", "r2")
	r = editor.must(remote.Restore, append(since, "path", "/media")...)
	require.Len(t, r.entries(t, "restored"), 2, "x and r; all others are back already")
	require.Empty(t, r.entries(t, "left"))
	require.Empty(t, editor.must(remote.Restore, append(since, "path", "/media")...).data)
	s.must(remote.MoveFile, "fileID", taken, "parentID", "0", "name", "r2")
	s.must(remote.DeleteFile, "fileID", taken)
	require.ElementsMatch(t, before, s.places())
	for name, id := range ids {
		want := name + "1"
		if name == "p" {
			want = "p2"
		} else if name == "q" {
			want = "of another account"
		}
		require.Equal(t, want, s.content(http.MethodPost, id, "").body, name)
	}
	if s.place().Database() == "" {
		s.sound()
	}
}

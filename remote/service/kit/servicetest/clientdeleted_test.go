package servicetest_test

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestTheClientRestoresAndPurges lists, restores and purges what was taken away.
func TestTheClientRestoresAndPurges(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	c := connect(t, f.URL, f)
	began := time.Now().Add(-time.Minute)
	dir := must(c.CreateDirectory(ctx, 0, "a"))
	file := must(c.UploadFile(ctx, dir, "f", bytesOf("first"))).FileID
	must(c.UploadFile(ctx, dir, "f", bytesOf("second")))
	require.NoError(t, c.DeleteFile(ctx, file))
	require.NoError(t, c.DeleteDirectory(ctx, dir))
	all := must(c.GetDeleted(ctx, remote.Place{}, time.Time{}, 0))
	require.Len(t, all, 3)
	require.WithinDuration(t, time.Now(), all[2].At, time.Minute)
	require.Equal(t, remote.Entry{Entry: all[2].Entry, Kind: "file", ID: file, Name: "f", Path: "/media/a/f", Parent: dir, Replaced: true, At: all[2].At, Account: f.Username, Bytes: 5}, all[2])
	require.Equal(t, all[:1], must(c.GetDeleted(ctx, remote.Place{Path: "/media/a"}, began, 1)))
	require.Equal(t, "directory", all[0].Kind)

	back := must(c.Restore(ctx, all[1].Entry, "g"))
	require.Len(t, back.Back, 2)
	require.Equal(t, "g", back.Back[1].Name)
	now := must(c.GetTree(ctx))
	require.Equal(t, now.Files[0].Version, back.Back[1].Version)
	require.Equal(t, file, now.Files[0].ID)
	must(c.UploadFile(ctx, 0, "F", bytesOf("other")))
	must(c.MoveFile(ctx, file, 0, "h", remote.NoFile))
	require.NoError(t, c.DeleteFile(ctx, file))
	must(c.UploadFile(ctx, 0, "taken", bytesOf("")))
	must(c.MoveFile(ctx, must(c.GetTree(ctx)).Files[1].ID, 0, "h", remote.NoFile))
	_, err := c.Restore(ctx, must(c.GetDeleted(ctx, remote.Place{Path: "/media/h"}, began, 0))[0].Entry, "")
	require.Equal(t, remote.VersionConflict, code(t, err))
	r := must(c.RestoreAll(ctx, remote.Place{Path: "/media/h"}, began))
	require.Empty(t, r.Back)
	require.NotEmpty(t, r.Left[0].Reason)
	require.Equal(t, "/media/h", r.Left[0].Path)
	for _, e := range must(c.GetDeleted(ctx, remote.Place{}, time.Time{}, 0)) {
		require.NoError(t, c.Purge(ctx, e.Entry))
	}
	require.Empty(t, must(c.GetDeleted(ctx, remote.Place{Path: "/media"}, began, 0)))
}

// TestContentThatIsKept reads what was deleted, in whole and in part, and restores it elsewhere.
func TestContentThatIsKept(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	c := connect(t, f.URL, f)
	file := must(c.UploadFile(ctx, 0, "f", bytesOf("0123456789"))).FileID
	require.NoError(t, c.DeleteFile(ctx, file))
	entry := must(c.GetDeleted(ctx, remote.Place{}, time.Time{}, 0))[0].Entry
	for part, want := range map[remote.Part]string{{}: "0123456789", {From: 4}: "456789", {From: 2, To: 4}: "23", {From: 10}: ""} {
		content := testrun.Must(c.GetEntry(ctx, entry, part))(t)
		require.Equal(t, want, string(must(io.ReadAll(content))))
		require.NoError(t, content.Close())
	}
	_, err := c.GetEntry(ctx, entry+1, remote.Part{})
	require.Equal(t, remote.Failure, code(t, err))
	back := must(c.Restore(ctx, entry, "g")).Back
	require.Len(t, back, 1)
	now := must(c.GetTree(ctx))
	require.Equal(t, "g", now.Files[0].Name)
	_, err = c.GetEntry(ctx, entry, remote.Part{})
	require.Equal(t, remote.Failure, code(t, err), "it is not kept any more")
}

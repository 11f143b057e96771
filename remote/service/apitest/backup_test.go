package apitest

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// served opens a copy of a data directory as a separate service.
func served(t *testing.T, data string) *server {
	s := inFiles(t, func(o *service.Options) { o.Data = data })
	return s
}

// restored copies a backup as `paperfs help backup` says, and serves the copy.
func restored(t *testing.T, backup string) *server {
	data := filepath.Join(t.TempDir(), "restored")
	require.NoError(t, os.CopyFS(data, os.DirFS(backup)))
	return served(t, data)
}

// sound requires that a deep check finds no problem.
func (s *server) sound() {
	s.t.Helper()
	report := testrun.Must(s.admin().Check(s.t.Context(), admin.CheckOptions{Deep: true}))(s.t)
	require.True(s.t, report.Sound(), "%+v", report)
}

// mediaFile is a file of the tree.
type mediaFile struct {
	Name   string `xml:"name,attr"`
	URL    string `xml:"url,attr"`
	SHA256 string `xml:"sha256,attr"`
}

// mediaFiles returns the files of the media library's root.
func (s *server) mediaFiles() []mediaFile {
	s.t.Helper()
	var media struct {
		File []mediaFile `xml:"file"`
	}
	require.NoError(s.t, xml.Unmarshal([]byte("<data>"+s.must(remote.GetTree).data+"</data>"), &media))
	return media.File
}

// library reads each media file and returns the digests by name.
func (s *server) library() map[string]string {
	all := map[string]string{}
	for _, f := range s.mediaFiles() {
		all[f.Name] = f.SHA256
		require.Equal(s.t, f.SHA256, digest([]byte(s.get(f.URL).body)), f.Name)
	}
	return all
}

// TestBackupWhileItIsWrittenTo checks that backups made during the work of eight writers are
// consistent, and that a backup made afterwards has everything that the service has.
func TestBackupWhileItIsWrittenTo(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	backup := filepath.Join(t.TempDir(), "backup")
	root := s.root()
	var writers sync.WaitGroup
	var rounds [8]atomic.Int64
	stop := make(chan struct{})
	for w := range 8 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				// Overwrites of large content, small content, and changes of the tree.
				content := strings.Repeat(fmt.Sprintf("%d-%d ", w, i), 20_000+i%7)
				assert.Greater(t, len(content), store.SmallContent, "this content has to lie outside of the records")
				s.must(remote.UploadFile, "parentID", "0", "name", fmt.Sprintf("large%d", w), "base64File", base64.StdEncoding.EncodeToString([]byte(content)))
				s.upload("0", fmt.Sprintf("small%d-%d", w, i%5), content[:100])
				s.category(root, fmt.Sprintf("c%d-%d", w, i))
				rounds[w].Add(1)
			}
		})
	}
	administrator := s.admin()
	backups := 2
	if testrun.All() {
		backups = 4
	}
	for range backups {
		before := rounds[0].Load()
		require.Empty(t, testrun.Must(administrator.Backup(t.Context(), backup, nil))(t).Missing)
		r := restored(t, backup)
		r.sound()
		r.library()
		r.close()
		for rounds[0].Load() < before+2 { // wait until content has changed since the last backup
			s.must(remote.GetSettingDescriptions)
		}
	}
	close(stop)
	writers.Wait()
	s.sound()
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	r := restored(t, backup)
	require.Equal(t, s.library(), r.library())
	require.Equal(t, s.tree(), r.tree())
	require.Equal(t, s.contents(), r.contents(), "a backup has no content that only earlier backups need")
}

func TestBackupIsIncremental(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	s.upload("0", "two", large)
	backup := filepath.Join(t.TempDir(), "backup")
	administrator := s.admin()
	var told []string
	report := testrun.Must(administrator.Backup(t.Context(), backup, func(done, all int) { told = append(told, fmt.Sprintf("%d/%d", done, all)) }))(t)
	require.Equal(t, admin.BackupReport{Copied: 2}, report)
	require.Equal(t, []string{"1/2", "2/2"}, told)
	s.upload("0", "two", large+"changed")
	require.True(t, s.purgeAll())
	report = testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	require.Equal(t, admin.BackupReport{Copied: 1, There: 1, Removed: 1}, report)
	restored(t, backup).sound()
}

func TestBackupTouchesNoOtherDirectory(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	administrator := s.admin()
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "mine"), nil, 0o600))
	_, err := administrator.Backup(t.Context(), other, nil)
	require.ErrorContains(t, err, "holds something other")
	_, err = administrator.Backup(t.Context(), filepath.Join(s.data, "backup"), nil)
	require.ErrorContains(t, err, "in the data directory")
	_, err = administrator.Backup(t.Context(), s.data, nil)
	require.ErrorContains(t, err, "in the data directory")
	stranger := inFiles(t)
	_, err = administrator.Backup(t.Context(), stranger.data, nil)
	require.ErrorContains(t, err, "holds something other")
	require.Len(t, testrun.Must(os.ReadDir(other))(t), 1)
}

func TestMissingContentIsAnError(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := inFiles(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	s.upload("0", "lost", large)
	address := s.must(remote.GetTree).attribute(t, "url")
	for path := range s.contentFiles() {
		if filepath.Base(path) != "id" {
			require.NoError(t, os.Remove(path))
		}
	}
	require.Equal(t, 500, s.get(address).status)
	require.Contains(t, log.String(), "level=ERROR")

	backup := filepath.Join(t.TempDir(), "backup")
	report := testrun.Must(s.admin().Backup(t.Context(), backup, nil))(t)
	require.Len(t, report.Missing, 1)
	require.Contains(t, report.Missing[0], "lost")
}

// TestBackupOntoAFullDiskKeepsTheEarlierOne checks that the earlier backup stays intact if the
// disk fills up during an update, and that the backup can be updated once there is space
// again.
func TestBackupOntoAFullDiskKeepsTheEarlierOne(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "one", large)
	backup := filepath.Join(t.TempDir(), "backup")
	administrator := s.admin()
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	for name, draft := range map[string]string{"client.env": "client.env.new", "content/id": "content/id.new"} {
		kept := filepath.Join(backup, name)
		before := testrun.Must(os.ReadFile(kept))(t)
		require.NotEmpty(t, before)
		draft = filepath.Join(backup, draft)
		require.NoError(t, os.Symlink("/dev/full", draft))
		_, err := administrator.Backup(t.Context(), backup, nil)
		if err != nil { // if the records were already up to date, they need no space
			require.ErrorIs(t, err, unix.ENOSPC)
		}
		require.NoError(t, os.RemoveAll(draft))
		after := testrun.Must(os.Lstat(kept))(t)
		require.True(t, after.Mode().IsRegular(), "%s has the mode %s", name, after.Mode())
		require.Equal(t, before, testrun.Must(os.ReadFile(kept))(t))
	}
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	restored(t, backup).sound()
}

// TestABackupHasTheClientEnvOfItsRecords checks that a backup that is cut short leaves the key of the earlier records, and
// that the file of an account that is gone does not stay.
func TestABackupHasTheClientEnvOfItsRecords(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	backup := filepath.Join(t.TempDir(), "backup")
	administrator := s.admin()
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	key := testrun.Must(administrator.RotateAccount("default", s.user, 0))(t)
	draft := filepath.Join(backup, "backup.json.new")
	require.NoError(t, os.Symlink("/dev/full", draft))
	_, err := administrator.Backup(t.Context(), backup, nil)
	require.ErrorIs(t, err, unix.ENOSPC)
	require.NoError(t, os.RemoveAll(draft))
	restored(t, backup).must(remote.GetSettingDescriptions)
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	now := restored(t, backup)
	require.Equal(t, key, now.key)
	now.must(remote.GetSettingDescriptions)
	require.NoError(t, administrator.RemoveAccount("default", s.user))
	testrun.Must(administrator.Backup(t.Context(), backup, nil))(t)
	require.NoFileExists(t, filepath.Join(backup, "client.env"))
}

// TestBackupIsPrivate checks that only the owner can read a backup's records.
func TestBackupIsPrivate(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	backup := filepath.Join(t.TempDir(), "backup")
	testrun.Must(s.admin().Backup(t.Context(), backup, nil))(t)
	info := testrun.Must(os.Stat(filepath.Join(backup, "service.db")))(t)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

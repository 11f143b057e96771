package apitest

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/testrun"
)

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// holding returns the file that holds this content.
func (s *server) holding(content string) string {
	s.t.Helper()
	for path, text := range s.contentFiles() {
		if text == content {
			return path
		}
	}
	require.Fail(s.t, "no such content")
	return ""
}

func (s *server) check(o admin.CheckOptions) *admin.CheckReport {
	s.t.Helper()
	return testrun.Must(s.admin().Check(s.t.Context(), o))(s.t)
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	for _, name := range []string{"whole", "short", "altered", "missing"} {
		s.upload("0", name, large+name)
	}
	s.upload("0", "small", "small")
	s.sound()

	short, altered, missing := s.holding(large+"short"), s.holding(large+"altered"), s.holding(large+"missing")
	require.NoError(t, os.Truncate(short, 10))
	require.NoError(t, os.WriteFile(altered, []byte(large+"ALTERED"), 0o600))
	require.NoError(t, os.Remove(missing))
	orphan := filepath.Join(s.data, "content", "ab", "ab000000-0000-4000-8000-000000000000")
	young := filepath.Join(s.data, "content", "ab", "ab000000-0000-4000-8000-000000000001")
	for _, path := range []string{orphan, young} {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte("orphan"), 0o600))
	}
	require.NoError(t, os.Chtimes(orphan, time.Unix(1, 0), time.Unix(1, 0)))

	r := s.check(admin.CheckOptions{})
	require.False(t, r.Sound())
	require.Equal(t, 4, r.Contents)
	require.Len(t, r.Missing, 1)
	require.Contains(t, r.Missing[0], "(missing)")
	require.Len(t, r.Wrong, 1)
	require.Contains(t, r.Wrong[0], "(short): 10 bytes")
	require.Equal(t, []string{filepath.Base(orphan)}, r.Orphans)
	require.Equal(t, 1, r.Young)
	require.Len(t, s.check(admin.CheckOptions{Deep: true}).Wrong, 2)

	r = s.check(admin.CheckOptions{Fix: true})
	require.Empty(t, r.Orphans)
	require.Len(t, r.Fixed, 1)
	require.NoFileExists(t, orphan)
	require.FileExists(t, young)
	require.Len(t, r.Missing, 1, "lost content cannot be restored")
}

// TestCheckKnowsAnEmptyFile uploads empty content, which is stored in its record, like other
// small content.
func TestCheckKnowsAnEmptyFile(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "empty", "")
	require.Empty(t, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
	s.sound()
}

// TestCheckFixTakesContentOutOfTheTrash checks that check --fix moves content back from the
// trash if a record names it.
func TestCheckFixTakesContentOutOfTheTrash(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "file", large)
	path := s.holding(large)
	day := filepath.Join(s.data, "trash", "2031-01-01")
	require.NoError(t, os.MkdirAll(day, 0o700))
	require.NoError(t, os.Rename(path, filepath.Join(day, filepath.Base(path))))
	require.Len(t, s.check(admin.CheckOptions{}).Missing, 1)
	r := s.check(admin.CheckOptions{Fix: true})
	require.True(t, r.Sound(), "%+v", r)
	require.Len(t, r.Fixed, 1)
	s.sound()
	require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
}

func TestCheckFindsFaultsOfTheTree(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	root := s.root()
	category, paper := s.category(root, "category"), s.paper(root, "paper")
	child := s.category(category, "child")
	s.close()
	db, err := sql.Open("sqlite", s.database())
	require.NoError(t, err)
	for _, statement := range []string{
		`UPDATE node SET parent = ` + paper + ` WHERE id = ` + child,
		`UPDATE node SET parent = id, url_name = 'loop' WHERE id = ` + category,
		`INSERT INTO media_dir (tenant, parent, name, folded_name) SELECT id, 4711, 'lost', 'lost' FROM tenant`,
	} {
		_, err = db.Exec(statement)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
	r := s.check(admin.CheckOptions{})
	require.Contains(t, r.Faults, "node "+child+" is inside paper "+paper)
	require.Contains(t, r.Faults, "node "+category+" is not below any root")
	require.Contains(t, r.Faults, "media directory 1 is inside 4711, which does not exist")
}

// TestCheckFixKeepsContentThatGotARecordMeanwhile checks that content is not binned which had no
// record when the check read the records, and has one when the check comes to it.
func TestCheckFixKeepsContentThatGotARecordMeanwhile(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.upload("0", "file", large)
	kept, orphan := s.holding(large), filepath.Join(s.data, "content", "ab", someKey)
	require.NoError(t, os.MkdirAll(filepath.Dir(orphan), 0o700))
	for _, fix := range []bool{false, true} {
		require.NoError(t, os.WriteFile(orphan, []byte(large), 0o600))
		require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
		names := func(key string) { execute(t, s.database(), `UPDATE media_file SET content = '`+key+`'`) }
		r := s.check(admin.CheckOptions{Fix: fix, Progress: func(int, int) { names(someKey) }}) // the records were read before
		require.Empty(t, r.Fixed)
		require.NotContains(t, r.Orphans, someKey)
		require.FileExists(t, orphan)
		require.Equal(t, large, s.get(s.must(remote.GetTree).attribute(t, "url")).body)
		names(filepath.Base(kept))
	}
	require.Len(t, s.check(admin.CheckOptions{Fix: true}).Fixed, 1, "without a record it is binned")
	require.NoFileExists(t, orphan)
}

// killedDir names the directory above the data of TestKilledChild's service.
const killedDir = "SERVICE_TEST_KILLED_DIR"

// killed returns the data directory of a killed service; the newest record is still in the
// database's log.
func killed(t *testing.T) string {
	dir := t.TempDir()
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledChild$")
	program.Env = append(os.Environ(), killedDir+"="+dir, "TMPDIR="+t.TempDir()) // which it cannot clean up
	out, err := program.CombinedOutput()
	require.ErrorContains(t, err, "signal: killed", string(out))
	data := filepath.Join(dir, "data")
	require.NotZero(t, testrun.Must(os.Stat(filepath.Join(data, "service.db-wal")))(t).Size())
	require.FileExists(t, filepath.Join(data, "service.db-shm"))
	return data
}

// TestKilledChild uploads a file and kills its own process.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("the service that killed starts")
	}
	s := quiet(t, filepath.Join(dir, "data"))
	s.upload("0", "file", large)
	require.NoError(t, testrun.Must(os.FindProcess(os.Getpid()))(t).Kill())
	select {}
}

// TestCheckWritesNothing checks that a check creates and changes no file, not even the database's
// log or its index, whatever it finds, and that it reads what is in the log.
func TestCheckWritesNothing(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	ended := func(t *testing.T) string {
		s := quiet(t, filepath.Join(t.TempDir(), "data"))
		s.upload("0", "file", large)
		s.close()
		return s.data
	}
	without := func(name string) func(*testing.T) string {
		return func(t *testing.T) string {
			data := killed(t)
			require.NoError(t, os.Remove(filepath.Join(data, name)))
			return data
		}
	}
	for name, directory := range map[string]func(*testing.T) string{
		"ended": ended, "killed": killed, "killed, without the index": without("service.db-shm"), "killed, without the lock": without("lock"),
		"backup": func(t *testing.T) string {
			dir := filepath.Join(t.TempDir(), "backup")
			(&server{t: t, data: ended(t)}).backup(dir)
			return dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := directory(t)
			before := tree(t, data)
			report := checked(t, data, admin.CheckOptions{Deep: true})
			require.True(t, report.Sound(), "%+v", report)
			require.Equal(t, 1, report.Contents)
			require.Equal(t, before, tree(t, data))
			orphan := filepath.Join(data, "content", "ab", someKey)
			hold(t, filepath.Join(data, "content"), "", true)
			require.NoError(t, os.Chtimes(orphan, clock.AddDate(-10, 0, 0), clock.AddDate(-10, 0, 0)))
			before = tree(t, data)
			require.Equal(t, []string{someKey}, checked(t, data, admin.CheckOptions{}).Orphans)
			require.Equal(t, before, tree(t, data))
			require.Len(t, checked(t, data, admin.CheckOptions{Fix: true}).Fixed, 1)
			quiet(t, data).sound()
		})
	}
}

// checked opens a data directory for one check.
func checked(t *testing.T, data string, o admin.CheckOptions) *admin.CheckReport {
	administrator := testrun.Must(admin.Open(data))(t)
	report := testrun.Must(administrator.Check(t.Context(), o))(t)
	require.NoError(t, administrator.Close())
	return report
}

// TestCheckWritesNothingToAnEmptyDatabase checks that opening it is refused and changes nothing.
func TestCheckWritesNothingToAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	data := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(data, "service.db"), nil, 0o600))
	before := tree(t, data)
	_, err := admin.Open(data)
	require.ErrorContains(t, err, "holds no service data")
	require.Equal(t, before, tree(t, data))
}

// TestCheckWritesNothingBesideAService checks that a check sees each change of a running service,
// and that the service goes on.
func TestCheckWritesNothingBesideAService(t *testing.T) {
	t.Parallel()
	allInFiles(t)
	s := inFiles(t)
	for i := range 3 {
		s.upload("0", "file"+strings.Repeat("x", i), large)
		require.Equal(t, i+1, s.check(admin.CheckOptions{}).Contents)
	}
	s.must(remote.GetTree)
}

package apitest

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
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

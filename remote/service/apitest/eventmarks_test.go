package apitest

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAMarkIsLost asks with marks that are not in the log, or too old.
func TestAMarkIsLost(t *testing.T) {
	t.Parallel()
	s := start(t)
	first := s.mark()
	lost := func(mark string) {
		t.Helper()
		n := s.after(mark)
		require.True(t, n.Lost, mark)
		require.Equal(t, []string{"tree media", "tree papers"}, n.lines())
		require.Empty(t, s.after(n.Next).lines())
	}
	for _, mark := range []string{"x", "another.1", first + "0", first[:strings.IndexByte(first, '.')+1] + "-1"} {
		lost(mark)
	}
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	s.inside().CutEvents(time.Now().Add(-time.Hour))
	require.Equal(t, []string{"directory 1 d"}, s.after(first).lines())
	second := s.mark()
	s.inside().CutEvents(time.Now().Add(time.Hour))
	lost(first)
	require.Empty(t, s.after(second).lines(), "the newest row stays")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "e")
	require.Equal(t, []string{"directory 2 e"}, s.after(second).lines())
}

// TestMarksAfterAStart starts the service again: its log of changes is in the records.
func TestMarksAfterAStart(t *testing.T) {
	t.Parallel()
	s := start(t)
	mark := s.mark()
	var made []string
	for _, name := range []string{"1", "2", "3"} {
		s.reopen()
		n := s.after(mark)
		require.False(t, n.Lost)
		require.Equal(t, len(made), len(n.lines()))
		s.must(remote.CreateDirectory, "parentID", "0", "name", name)
		made = append(made, "directory "+name+" "+name)
		require.Equal(t, made, s.after(mark).lines())
	}
	mark = s.mark()
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	require.Equal(t, []string{"directory 4 d"}, s.after(mark).lines())
}

// TestMarksAfterARestore puts an older data directory back, by hand: what was told after it is lost, even if as much has
// happened since, and what was told before it holds.
func TestMarksAfterARestore(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]func(*server){
		"a call": func(*server) {},
		"an operator, before the start": func(s *server) {
			db := s.place().Beside(t)
			require.NoError(t, db.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.SetSetting(1, "language", "de") }))
			require.NoError(t, db.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.place().Embedded(t, "PostgreSQL tells whether it was restored")
			s.must(remote.CreateDirectory, "parentID", "0", "name", "before")
			before := s.mark()
			s.close()
			older := t.TempDir()
			require.NoError(t, os.CopyFS(older, os.DirFS(s.data)))
			s.open()
			var after []string
			for i := range 10 {
				s.must(remote.CreateDirectory, "parentID", "0", "name", strconv.Itoa(i))
				after = append(after, s.mark())
			}
			s.close()
			require.NoError(t, os.RemoveAll(s.data))
			require.NoError(t, os.CopyFS(s.data, os.DirFS(older)))
			first(s)
			s.open()
			for i := range 20 {
				for _, mark := range after {
					require.True(t, s.after(mark).Lost, i)
				}
				s.must(remote.CreateDirectory, "parentID", "0", "name", "other "+strconv.Itoa(i))
			}
			require.GreaterOrEqual(t, len(s.after(before).lines()), 20)
		})
	}
}

// TestMarksInARestoredBackup asks a restored backup with marks from before it: whoever has one may have made changes since,
// of which it was told nothing and which the backup does not have. The marks of the service itself hold.
func TestMarksInARestoredBackup(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	s.must(remote.CreateDirectory, "parentID", "0", "name", "before")
	mark := s.mark()
	backup := filepath.Join(t.TempDir(), "backup")
	for range 2 { // a new one, and the same brought up to date
		testrun.Must(s.admin().Backup(t.Context(), backup, nil))(t)
		other := restored(t, backup)
		require.True(t, other.after(mark).Lost)
		its := other.mark()
		other.must(remote.CreateDirectory, "parentID", "0", "name", "d")
		require.Equal(t, []string{"directory 2 d"}, other.after(its).lines())
		require.True(t, other.after(mark).Lost)
	}
	require.Empty(t, s.after(mark).lines())
}

// TestAMarkOfATenantThatWasRemoved removes the tenant with the newest changes, whose numbers are given again.
func TestAMarkOfATenantThatWasRemoved(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine, other := s.mark(), s.tenantNamed("other")
	other.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	mark := other.mark()
	require.NoError(t, s.admin().RemoveTenant("other"))
	other = s.tenantNamed("other")
	for range 10 {
		require.True(t, other.after(mark).Lost)
		other.must(remote.CreateDirectory, "parentID", "0", "name", rand.Text())
	}
	require.Empty(t, s.after(mine).lines())
}

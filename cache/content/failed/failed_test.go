package failed

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
)

// shelf is a failed/ that can be opened again, as by the next mount.
type shelf struct {
	*Store
	t *testing.T
}

func newShelf(t *testing.T) *shelf {
	dir := t.TempDir()
	d := state.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")}
	statetest.Prepare(t, d)
	st, err := state.Open(d, "/mnt")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	s := &shelf{t: t, Store: &Store{DB: st.DB(), Dir: t.TempDir(), Now: time.Now, Sync: func(string) error { return nil },
		Written: func() error { return nil }, Temporary: func(path string) bool { return strings.Contains(path, "/.") }, Log: slog.New(slog.DiscardHandler)}}
	s.reopen()
	return s
}

func (s *shelf) reopen() {
	s.Store = &Store{DB: s.DB, Dir: s.Dir, Room: &disk.Room{}, Now: s.Now, Sync: s.Sync, Written: s.Written, Temporary: s.Temporary, Log: s.Log}
	require.NoError(s.t, s.Load())
	require.NoError(s.t, s.Forget())
}

// source returns a file with content that is to be set aside.
func (s *shelf) source(content string) string {
	path := filepath.Join(s.t.TempDir(), "1")
	require.NoError(s.t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// holds returns the contents by name.
func (s *shelf) holds() map[string]string {
	all := map[string]string{}
	for _, e := range s.List() {
		content, err := os.ReadFile(s.File(e.ID))
		require.NoError(s.t, err)
		all[e.Name] = string(content)
	}
	return all
}

// TestTheNewestOfEachPathStays checks that newer content of a path takes the place of older, that names
// are unique, and that the next mount has the same.
func TestTheNewestOfEachPathStays(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	base := &tree.Version{ID: 3, Size: 5, KB: -1}
	require.NoError(t, s.Add(s.source("one"), Entry{Path: "d/a", Reason: "no", Size: 3, Base: base}))
	require.NoError(t, s.Add(s.source("other"), Entry{Path: "e/a", Reason: "no", Size: 5}))
	require.NoError(t, s.Add(s.source("newer"), Entry{Path: "d/a", Reason: "never", Size: 5, Base: base, Unfinished: true}))
	for range 2 {
		held := s.List()
		require.Len(t, held, 2)
		e := *s.byPlace[place{path: "d/a"}]
		require.Equal(t, "newer", s.holds()[e.Name])
		require.Equal(t, []any{"never", int64(5), true, base}, []any{e.Reason, e.Size, e.Unfinished, e.Base})
		require.Equal(t, "other", s.holds()[s.byPlace[place{path: "e/a"}].Name])
		require.NotEqual(t, held[0].Name, held[1].Name)
		s.reopen()
	}
	files, err := os.ReadDir(s.Dir)
	require.NoError(t, err)
	require.Len(t, files, 2, "the older content is gone")
}

// TestContentThatFailsLateReplacesNoNewer sets aside what was queued after newer content of its path.
func TestContentThatFailsLateReplacesNoNewer(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	later := filepath.Join(t.TempDir(), "2")
	require.NoError(t, os.WriteFile(later, []byte("newest"), 0o600))
	require.NoError(t, s.Add(later, Entry{Path: "d/a", Size: 6}))
	require.NoError(t, s.Add(s.source("queued"), Entry{Path: "d/a", Size: 6}))
	for range 2 {
		require.Equal(t, map[string]string{"a": "newest", "a (older)": "queued"}, s.holds())
		s.reopen()
	}
}

// TestUnsentContentInFailedIsNotReplaced checks that a damaged or sent PDF, and an older one, get
// paths of their own beside content that still has to be sent.
func TestUnsentContentInFailedIsNotReplaced(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	require.NoError(t, s.Add(s.source("unsent"), Entry{Path: "/p/source.pdf"}))
	require.NoError(t, s.AddDamaged(s.source("damaged"), Entry{Path: "/p/source.pdf"}))
	require.NoError(t, s.AddOlder(s.source("older"), Entry{Path: "/p/source.pdf"}))
	require.NoError(t, s.AddSent(s.source("sent"), Entry{Path: "/p/source.pdf"}))
	require.Equal(t, map[string]string{"source.pdf": "unsent", "source.pdf (damaged)": "damaged", "source.pdf (older)": "older", "source.pdf (older) (older)": "sent"}, s.holds())
	for _, e := range s.List() {
		require.Equal(t, "/p/source.pdf", e.Path)
	}
	s.reopen()
	require.Len(t, s.List(), 4)
}

// TestAMoveThatFailsLeavesTheContent checks that content that cannot be set aside stays where it was,
// that the entry before it stays, and that no row is left.
func TestAMoveThatFailsLeavesTheContent(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	require.NoError(t, s.Add(s.source("one"), Entry{Path: "a"}))
	away := s.Dir + ".away"
	require.NoError(t, os.Rename(s.Dir, away))
	source := s.source("two")
	require.Error(t, s.Add(source, Entry{Path: "a"}))
	require.NoError(t, os.Rename(away, s.Dir))
	content, err := os.ReadFile(source)
	require.NoError(t, err)
	require.Equal(t, "two", string(content))
	require.Equal(t, map[string]string{"a": "one"}, s.holds())
	s.reopen()
	require.Equal(t, map[string]string{"a": "one"}, s.holds())
}

// TestTakingAnEntryTakesThatOne checks that an entry that was replaced meanwhile stays.
func TestTakingAnEntryTakesThatOne(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	require.NoError(t, s.Add(s.source("one"), Entry{Path: "a"}))
	old, err := s.Find("a")
	require.NoError(t, err)
	require.NoError(t, s.Add(s.source("two"), Entry{Path: "a"}))
	require.NoError(t, s.Take(old))
	require.Equal(t, map[string]string{"a": "two"}, s.holds())
	now, err := s.Find("a")
	require.NoError(t, err)
	require.NoError(t, s.Take(now))
	require.Empty(t, s.holds())
	_, err = s.Find("a")
	require.True(t, refusal.Is(err, refusal.NotFound))
	s.reopen()
	require.Empty(t, s.holds())
}

// TestAnEntryBelongsToItsPaper checks that a PDF takes the place of an older one of its paper, whatever the paper was called by
// then, or of what was refused before the paper was made, and of nothing else: not of a PDF of another paper or category that
// has the name now, and of no temporary file.
func TestAnEntryBelongsToItsPaper(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	for _, e := range []Entry{
		{Path: "/papers/C/X.pdf", Paper: 7, Dir: 3}, {Path: "/papers/C/X.pdf", Paper: 8, Dir: 3}, {Path: "/papers/D/Y.paper/source.pdf", Paper: 7},
		{Path: "/papers/C/N.pdf", Dir: 3}, {Path: "/papers/C/N.pdf", Dir: 4}, {Path: "/papers/E/N.pdf", Paper: 9, Dir: 3},
		{Path: "/papers/C/.a", Paper: 3}, {Path: "/papers/C/.b", Paper: 3}, {Path: "/papers/C/.a", Paper: 4},
	} {
		require.NoError(t, s.Add(s.source(fmt.Sprintf("%s of %d in %d", e.Path, e.Paper, e.Dir)), e))
	}
	want := []string{"/papers/C/.a of 3 in 0", "/papers/C/.a of 4 in 0", "/papers/C/.b of 3 in 0", "/papers/C/N.pdf of 0 in 4", "/papers/C/X.pdf of 8 in 3",
		"/papers/D/Y.paper/source.pdf of 7 in 0", "/papers/E/N.pdf of 9 in 3"}
	for range 2 {
		require.Equal(t, want, slices.Sorted(maps.Values(s.holds())))
		s.reopen()
	}
	s.Overtake(Entry{Path: "/papers/C/X.pdf", Paper: 7, Dir: 3})
	for _, e := range s.List() {
		require.Equal(t, e.Paper == 7, e.Overtaken, e.Path)
	}
	for _, e := range s.List() {
		require.NoError(t, s.AddForeign(s.File(e.ID), e))
		require.NoError(t, s.Take(e))
	}
	require.NoError(t, s.Add(s.source("of the new data"), Entry{Path: "/papers/C/X.pdf", Paper: 7, Dir: 3}))
	for range 2 {
		require.Len(t, s.List(), len(want)+1)
		s.reopen()
	}
}

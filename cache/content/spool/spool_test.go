package spool

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/disk"
	"paperfs/cache/content/refusal"
)

// newDir returns an empty spool with a quota, 0 for none.
func newDir(path string, quota int64) *Dir {
	return &Dir{Path: path, Room: &disk.Room{Disk: disk.Disk{Reserve: -1}, Quota: quota}, Sound: new(disk.Soundness)}
}

// TestOnlyNamesOfSpoolsAreParsed checks that no name in the directory is taken for another file's.
func TestOnlyNamesOfSpoolsAreParsed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		serial := rapid.Uint64().Draw(t, "serial")
		gotSerial, ok := Parse(Name(serial))
		require.True(t, ok)
		require.Equal(t, serial, gotSerial)
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-+ 0-9a]{0,3}-[-+ 0-9a.]{0,3}`)).Draw(t, "text")
		if serial, ok := Parse(text); ok {
			require.Equal(t, text, Name(serial))
		}
	})
}

// TestASpoolHoldsWhatWasWritten compares a spool, its room and its measure with a byte string.
func TestASpoolHoldsWhatWasWritten(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		s := newDir(place, 100)
		base := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "base")
		sp, err := s.Create()
		if len(base) > 0 {
			s.Drop(sp)
			sp, err = s.Over(int64(len(base)))
		}
		require.NoError(t, err)
		defer s.Drop(sp)
		want, lacks := bytes.Clone(base), make([]bool, 200) // want has the base, also where it has not come
		for i := range base {
			lacks[i] = true
		}
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				p, off := rapid.SliceOfN(rapid.Byte(), 1, 30).Draw(t, "data"), rapid.IntRange(0, 90).Draw(t, "offset")
				n, err := s.WriteAt(sp, p, int64(off))
				if off+len(p) > 100 {
					require.True(t, refusal.Is(err, refusal.Full))
					return
				}
				require.NoError(t, err)
				require.Equal(t, len(p), n)
				want = append(want, make([]byte, max(0, off+n-len(want)))...)
				copy(want[off:], p)
				clear(lacks[off : off+n])
			},
			"come": func(t *rapid.T) {
				if len(base) == 0 {
					t.Skip("no base")
				}
				from := rapid.IntRange(0, len(base)-1).Draw(t, "from")
				to := rapid.IntRange(from, len(base)).Draw(t, "to")
				require.NoError(t, s.Fill(sp, base[from:to], int64(from)))
				clear(lacks[from:to])
			},
			"resize": func(t *rapid.T) {
				size := rapid.IntRange(0, 100).Draw(t, "size")
				require.NoError(t, s.Resize(sp, int64(size)))
				want = append(want, make([]byte, max(0, size-len(want)))...)[:size]
				clear(lacks[size:])
				require.False(t, size == 0 && sp.Lack != nil)
			},
			"": func(t *rapid.T) {
				got, err := os.ReadFile(sp.Path)
				require.NoError(t, err)
				seen, holes := bytes.Clone(want), 0
				for i := range seen {
					from, to := sp.Hole(int64(i), int64(i)+1)
					require.Equal(t, lacks[i], from < to, "byte %d", i)
					if lacks[i] {
						seen[i] = 0
						holes++
					}
				}
				require.Equal(t, string(seen), string(got))
				from, to := sp.Hole(0, 200)
				require.Equal(t, holes > 0, from < to)
				if holes > 0 {
					require.EqualValues(t, slices.Index(lacks, true), from)
					require.False(t, slices.Contains(lacks[to:], true))
				}
				require.EqualValues(t, len(want), sp.Size)
				require.EqualValues(t, len(want), s.Room.Used())
			},
		})
	})
}

// TestTheNextRunFindsWhatIsWhole checks that unfinished copies go, that disowned content is told, and
// that new spools do not take the names of old ones.
func TestTheNextRunFindsWhatIsWhole(t *testing.T) {
	t.Parallel()
	s := newDir(t.TempDir(), 0)
	write := func(content string) *File {
		sp, err := s.Create()
		require.NoError(t, err)
		_, err = s.WriteAt(sp, []byte(content), 0)
		require.NoError(t, err)
		return sp
	}
	one, removed, last := write("one"), write("three"), write("the last")
	name := filepath.Base(removed.Path)
	require.True(t, removed.Disown())
	require.NoError(t, s.MarkGone(77))
	require.NoError(t, os.WriteFile(s.at(Name(99))+UnfinishedEnd, []byte("ha"), 0o600))

	next := newDir(s.Path, 0)
	left, err := next.Leftovers()
	require.NoError(t, err)
	require.Equal(t, []uint64{one.Serial, last.Serial}, left)
	require.Equal(t, one.Path, next.PathOf(one.Serial))
	require.True(t, next.Disowned(name))
	require.True(t, next.Disowned(Name(77)))
	require.False(t, next.Disowned(filepath.Base(one.Path)))
	require.NoFileExists(t, s.at(Name(99))+UnfinishedEnd)
	found, _, err := next.Found(one.Path)
	require.NoError(t, err)
	require.EqualValues(t, 3, found.Size)
	require.EqualValues(t, 3, next.Room.Used())
	fresh, err := next.Create()
	require.NoError(t, err)
	require.Greater(t, fresh.Serial, last.Serial)
	require.NoError(t, next.Forget())
	require.NoFileExists(t, removed.Path)
	require.NoFileExists(t, s.at(Name(77))+goneMark+disownedEnd)
}

package tree

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/refusal"
)

// TestNamesThatAreAcceptedAreSafe checks that what a program or the service calls a file can be a
// name at both, whatever its bytes.
func TestNamesThatAreAcceptedAreSafe(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]refusal.Kind{"": refusal.Invalid, ".": refusal.Invalid, "..": refusal.Invalid, "a/b": refusal.Invalid,
		`a\b`: refusal.Invalid, " a": refusal.Invalid, "a ": refusal.Invalid, "\u00a0a": refusal.Invalid, "a\nb": refusal.Invalid, "\x7f": refusal.Invalid,
		"a\u0085b": refusal.Invalid, "a\uffff": refusal.Invalid, "\xff": refusal.Invalid, strings.Repeat("a", 256): refusal.TooLong, strings.Repeat("ü", 128): refusal.TooLong} {
		require.True(t, refusal.Is(CheckName(name), kind), "%q: %v", name, CheckName(name))
	}
	for _, name := range []string{"übergröße.jpg", "]]>", `"quoted" & <tagged>`, "...", strings.Repeat("a", 255)} {
		require.NoError(t, CheckName(name), name)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "name"))
		if CheckName(name) == nil {
			require.True(t, utf8.ValidString(name))
			require.NotContains(t, []string{"", ".", ".."}, name)
			require.False(t, strings.ContainsAny(name, "/\\\x00\r\n\t"), "%q", name)
			require.Equal(t, strings.TrimSpace(name), name)
		}
	})
}

// TestADirectoryHasANameInOneCase attaches and removes names, and checks Free against a search of
// all of them.
func TestADirectoryHasANameInOneCase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir := NewNode(2, inode.Directory)
		last := inode.Ino(2)
		t.Repeat(map[string]func(*rapid.T){
			"attach": func(t *rapid.T) {
				name, local := rapid.SampledFrom([]string{"a", "A", "ab", "aB", "AB", "é", "É"}).Draw(t, "name"), rapid.Bool().Draw(t, "local")
				if err := dir.Free(name, local); err != nil {
					require.True(t, refusal.Is(err, refusal.Exists))
					return
				}
				last++
				n := NewNode(last, inode.File)
				if local {
					n.On(Hidden)
				}
				dir.Attach(name, n)
			},
			"detach": func(t *rapid.T) {
				for _, n := range dir.Children { // any
					n.Detach()
					return
				}
			},
			"": func(t *rapid.T) {
				for _, name := range []string{"a", "A", "ab", "AB", "É"} {
					taken, clashes := dir.Has(name), false
					for other, n := range dir.Children {
						clashes = clashes || !n.Local() && strings.EqualFold(other, name)
					}
					require.Equal(t, taken || clashes, dir.Free(name, false) != nil, name)
					require.Equal(t, taken, dir.Free(name, true) != nil, "a local name %s", name)
				}
			},
		})
	})
}

// TestAFileKeepsItsOtherNames checks that a file that loses one of several names keeps the others,
// whichever it is.
func TestAFileKeepsItsOtherNames(t *testing.T) {
	t.Parallel()
	for gone := range 3 {
		dir, n := NewNode(2, inode.Directory), NewNode(3, inode.File)
		names := []string{"a", "b", "c"}
		for _, name := range names {
			dir.Attach(name, n)
		}
		n.Unname(Link{dir, names[gone]})
		for i, name := range names {
			require.Equal(t, i != gone, dir.Has(name))
			require.Equal(t, i != gone, n.Named(dir.Ino, name))
		}
		require.Len(t, n.Also, 1)
	}
}

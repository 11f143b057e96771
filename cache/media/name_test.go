package media

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestScratchName(t *testing.T) {
	for _, c := range []struct {
		name, comm string
		want       bool
	}{
		{".photo.jpg.Xa81Bc", "rsync", true},
		{".~tmp~", "rsync", true},
		{".photo.jpg.swp", "vim", true},
		{".DS_Store", "", true},
		{"._photo.jpg", "", true},
		{".goutputstream-1A2B3C", "", true},
		{".Trash-1000", "", true},
		{".nfs000000000123", "", true},
		{".~lock.offer.odt#", "soffice.bin", true},
		{"letter.txt~", "gedit", true},
		{"#letter.txt#", "emacs", true},
		{"##", "emacs", false},
		{"~$offer.docx", "", true},
		{"sedAb12xZ", "sed", true},
		{"sedAb12xZ", "busybox", true},
		{"sedAb12xZ", "cp", false},
		{"sedAb12xZ", "", false},
		{"sedAb12x", "sed", false},
		{"sedAb12x-", "sed", false},
		{"letter.txtAb12xZ", "busybox", true},
		{"letter.txt202612", "busybox", false},
		{"letter.txt202612", "sed", true},
		{"letter.txtAb12xZ", "cp", false},
		{"other.txtAb12xZ", "busybox", false},
		{"ziAb12xZ", "zip", true},
		{"ziAb12xZ", "cp", false},
		{"zipAb12xZ", "zip", false},
		{"XXAb12xZ", "perl", true},
		{"XXAb12xZ", "cp", false},
		{"letter.txt.oAb12xZ", "patch", true},
		{"letter.txt.rAb12xZ", "patch", true},
		{"letter.txt.xAb12xZ", "patch", false},
		{"lu17334q6ogl4.tmp", "soffice.bin", true},
		{"lu17334q6ogl4.tmp", "cp", false},
		{"lu.tmp", "soffice.bin", false},
		{"luna-2.tmp", "soffice.bin", false},
		{"lunch.odt", "soffice.bin", false},
		{"4913", "vi", true},
		{"4913", "vim.tiny", true},
		{"4913", "cp", false},
		{"photo.jpg", "rsync", false},
		{"~photo.jpg", "", false},
		{"a.b", "", false},
	} {
		sibling := func(name string) bool { return name == "letter.txt" }
		require.Equal(t, c.want, scratchName(c.name, c.comm, sibling), "%s by %s", c.name, c.comm)
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "übergröße.jpg", "]]>", `"quoted" & <tagged>`, "a b", "...", "日本語.png", strings.Repeat("x", 255)} {
		require.NoError(t, checkName(name), name)
	}
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "a\nb", "\x7f", "a\u0085b", " a", "a ", "\u00a0a", "a\xff", "a\uffff"} {
		require.True(t, Is(checkName(name), Invalid), "%q", name)
	}
	require.True(t, Is(checkName(strings.Repeat("x", 256)), TooLong))
	require.True(t, Is(checkName(strings.Repeat("ü", 128)), TooLong))
}

func TestFold(t *testing.T) {
	require.Equal(t, fold("MAKEFILE"), fold("makefile"))
	require.Equal(t, fold("ÜBER"), fold("über"))
	require.Equal(t, fold("Σίσυφος"), fold("σίσυφοσ"))
	require.Equal(t, fold("K"), fold("\u212a")) // KELVIN SIGN
	require.NotEqual(t, fold("ß"), fold("ss"))
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.String().Draw(t, "a")
		b := rapid.String().Draw(t, "b")
		require.Equal(t, fold(a), fold(fold(a)))
		require.Equal(t, strings.EqualFold(a, b), fold(a) == fold(b))
		require.True(t, strings.EqualFold(a, fold(a)))
	})
}

func FuzzCheckName(f *testing.F) {
	for _, seed := range []string{"a.jpg", " a", "a\x00", "]]>", "\xff\xfe", strings.Repeat("ß", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if checkName(name) != nil {
			return
		}
		require.True(t, utf8.ValidString(name))
		require.NotEmpty(t, name)
		require.LessOrEqual(t, len(name), 255)
		require.False(t, strings.ContainsAny(name, "/\\\x00\r\n\t"))
		require.Equal(t, strings.TrimSpace(name), name)
	})
}

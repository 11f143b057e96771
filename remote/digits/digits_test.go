package digits

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// beforeAGuard returns a page of memory, with one behind it that nobody may read or write.
func beforeAGuard(t *testing.T) []byte {
	t.Helper()
	page := unix.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(memory)) })
	require.NoError(t, unix.Mprotect(memory[page:], unix.PROT_NONE))
	return memory[:page:page]
}

// text draws up to a dozen pieces.
func text(t *rapid.T, pieces ...*rapid.Generator[string]) string {
	return strings.Join(rapid.SliceOfN(rapid.OneOf(pieces...), 0, 12).Draw(t, "pieces"), "")
}

// of draws strings of a regular expression.
func of(expression string) *rapid.Generator[string] { return rapid.StringMatching(expression) }

// TestUnescapedDigitsStayInTheirMemory checks that copyUnescaped copies digits and escapes as they are, no other escape and no
// blank, and neither reads nor writes beside its arguments.
func TestUnescapedDigitsStayInTheirMemory(t *testing.T) {
	t.Parallel()
	source, target := beforeAGuard(t), beforeAGuard(t)
	plain := strings.NewReplacer("%2B", "+", "%2b", "+", "%2F", "/", "%2f", "/")
	none := strings.NewReplacer("%2B", "", "%2b", "", "%2F", "", "%2f", "")
	rapid.Check(t, func(t *rapid.T) {
		text := text(t, of(`[A-Za-z0-9/]{1,70}`), of(`(%2[BbFf]){1,3}`), of(`[A-Za-z0-9/]{1,70}%2[BbFf]`),
			rapid.SampledFrom([]string{"+", "%", "%2", "%3D", "%2R", "%2V", "%1B", "%%2B", "=", "==", "&", "\r\n", "\x80", "\xff", " "}))
		src, dst := source[len(source)-len(text):], target[len(target)-len(text):]
		copy(src, text)
		read, written := copyUnescaped(dst, src)
		require.LessOrEqual(t, read, len(text))
		require.Equal(t, plain.Replace(text[:read]), string(dst[:written]))
		require.NotContains(t, none.Replace(text[:read]), "%")
		require.NotContains(t, text[:read], "+")
	})
}

// TestMostDigitsAreCopiedAtOnce checks that copyUnescaped leaves only the end to its caller.
func TestMostDigitsAreCopiedAtOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("only on amd64")
	}
	text := strings.Repeat("abcdefgh%2B0123456789/%2f", 40)
	read, _ := copyUnescaped(make([]byte, len(text)), []byte(text))
	require.Greater(t, read, len(text)-34)
}

// TestLittleIsReadBehindAnEscape checks that Unescape reads only a few bytes behind an escape that ends it, and not all of src in
// vain: digits in lines have one at the end of each, and other clients may escape all digits.
func TestLittleIsReadBehindAnEscape(t *testing.T) {
	page := beforeAGuard(t)
	line := page[len(page)-200:]
	copy(line, strings.Repeat("A", 76)+"%0A"+strings.Repeat("A", 200))
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for at, want := range map[int]int{0: 76, 76: 0} {
		src := unsafe.Slice(&line[at], len(line)-at+len(page)) // most of it is the guard
		require.NotPanics(t, func() {
			read, written := Unescape(make([]byte, len(src)), src)
			require.Equal(t, []int{want, want}, []int{read, written})
		})
	}
}

// TestEscapedDigitsStayInTheirMemory checks that copyEscaped copies each character once, and neither reads nor writes beside
// its arguments.
func TestEscapedDigitsStayInTheirMemory(t *testing.T) {
	t.Parallel()
	source, target := beforeAGuard(t), beforeAGuard(t)
	rapid.Check(t, func(t *rapid.T) {
		text := text(t, of(`[A-Za-z0-9/]{1,70}`), of(`[A-Za-z0-9/]{0,40}\+{1,3}`), rapid.SampledFrom([]string{"=", "\xab", "\x80"}))
		src, dst := source[len(source)-len(text):], target[len(target)-3*len(text):]
		copy(src, text)
		read, written := copyEscaped(dst, src)
		require.Equal(t, strings.ReplaceAll(text[:read], "+", "%2B"), string(dst[:written]))
		if runtime.GOARCH == "amd64" {
			require.Greater(t, read, len(text)-32, "only the end is left")
		}
	})
}

// TestDigitsReturn checks that Unescape takes back what AppendEscaped made, whatever room there was.
func TestDigitsReturn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := text(t, of(`[A-Za-z0-9/]{1,70}`), of(`\+{1,3}`))
		form := AppendEscaped(make([]byte, 0, rapid.IntRange(0, 3*len(text)).Draw(t, "room")), []byte(text))
		require.Equal(t, strings.ReplaceAll(text, "+", "%2B"), string(form))
		dst := make([]byte, len(form))
		read, written := Unescape(dst, form)
		require.Equal(t, len(form), read)
		require.Equal(t, text, string(dst[:written]))
	})
}

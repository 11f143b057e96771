package pdf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/xmlscan"
)

func TestCleanText(t *testing.T) {
	t.Parallel()
	for dirty, clean := range map[string]string{
		"two\r\nlines\rthree":        "two\nlines\nthree",
		"hyphen\x02\r\nated":         "hyphenated",
		" \x00\x07\ufffe\uffffblank": "blank",
		"bad\xffbytes\ttab":          "badbytes\ttab",
		"\u0085next":                 "next",
	} {
		require.Equal(t, clean, cleanText(dirty), "%q", dirty)
	}
}

// FuzzCleanText checks that XML can carry the cleaned text.
func FuzzCleanText(f *testing.F) {
	f.Add("a\r\nb\x02\r\nc\x00\ufffe")
	f.Fuzz(func(t *testing.T, s string) {
		clean := cleanText(s)
		if !xmlscan.Carries(clean) || strings.ContainsAny(clean, "\r\x02") || cleanText(clean) != clean {
			t.Fatalf("%q becomes %q", s, clean)
		}
	})
}

// FuzzCleanURI checks that an address is one line that XML can carry.
func FuzzCleanURI(f *testing.F) {
	f.Add(" https://example.org/\n")
	f.Add("https://example.org/\ufffe")
	f.Fuzz(func(t *testing.T, s string) {
		if clean := cleanURI(s); !xmlscan.Carries(clean) || len(clean) > longestURI || strings.ContainsAny(clean, "\r\n\t") {
			t.Fatalf("%q becomes %q", s, clean)
		}
	})
}

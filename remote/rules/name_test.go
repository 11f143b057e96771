package rules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]Fault{
		"a": None, "Größe": None, "]]>": None, `"quoted" & <tagged>`: None, "a b": None, "...": None, "\ufffd": None,
		strings.Repeat("ü", 255): None, strings.Repeat("ü", 256): TooLong,
		"": Blank, "  ": Blank, " a": BlankAtEnd, "a ": BlankAtEnd, "\u00a0a": BlankAtEnd,
		"a\xff": NotUTF8, "a\nb": Control, "\x7f": Control, "a\u0085b": Control, "a\uffff": Control,
	} {
		require.Equal(t, want, NodeName(name), "%q", name)
		require.Equal(t, want, MediaName(name), "%q", name)
	}
	for name, want := range map[string]Fault{".": Reserved, "..": Reserved, "a/b": Separator, `a\b`: Separator} {
		require.Equal(t, None, NodeName(name), "%q", name)
		require.Equal(t, want, MediaName(name), "%q", name)
	}
}

func TestQueries(t *testing.T) {
	for query, want := range map[string]Fault{
		"a": None, " über blumen ": None, strings.Repeat("ü", 128): None, " " + strings.Repeat("ü", 128) + " ": None, "a\tb": None,
		"": Blank, " \t": Blank, strings.Repeat("ü", 129): TooLong, "a\xff": NotUTF8, "a\x00": Control,
	} {
		require.Equal(t, want, Query(query), "%q", query)
	}
}

func TestSegments(t *testing.T) {
	for _, good := range []string{"a", "A-z_0.~", "...", strings.Repeat("x", 128)} {
		require.True(t, Segment(good), good)
	}
	for _, bad := range []string{"", ".", "..", "a/b", "ü", "a b", "a%20", "a\n", strings.Repeat("x", 129)} {
		require.False(t, Segment(bad), "%q", bad)
	}
}

package rules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFoldAgreesWithEqualFold(t *testing.T) {
	alphabet := []rune("aAkKK\u212asSſzZ_éÉσςΣßẞİiIıǅǆǄ日.-\ufffd")
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.StringOfN(rapid.RuneFrom(alphabet), 0, 4, -1), rapid.String())
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		require.Equal(t, strings.EqualFold(a, b), Fold(a) == Fold(b), "%q and %q", a, b)
		require.Equal(t, strings.EqualFold(a, b), CompareFolded(a, b) == 0)
		require.Equal(t, CompareFolded(a, b), -CompareFolded(b, a))
		require.Equal(t, strings.Compare(Fold(a), Fold(b)), CompareFolded(a, b))
		require.Equal(t, Fold(a), Fold(Fold(a)))
		require.True(t, strings.EqualFold(a, Fold(a)))
	})
}

func TestFoldSortsAsLowerCase(t *testing.T) {
	for _, s := range []string{"Zebra_1", "KISS", "abc-~."} {
		require.Equal(t, strings.ToLower(s), Fold(s))
	}
	require.Equal(t, Fold("K"), Fold("\u212a")) // KELVIN SIGN
	require.NotEqual(t, Fold("ß"), Fold("ss"))
}

func TestCutPrefix(t *testing.T) {
	rest, found := CutPrefix("/Garden/Spring/", "/garden/")
	require.True(t, found)
	require.Equal(t, "Spring/", rest)
	for _, other := range []string{"", "/gard", "/kitchen/spring/"} {
		rest, found = CutPrefix(other, "/garden/")
		require.False(t, found, other)
		require.Equal(t, other, rest)
	}
}

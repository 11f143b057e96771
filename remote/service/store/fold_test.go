package store

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFoldAgreesWithEqualFold(t *testing.T) {
	alphabet := []rune("aAkKK\u212asSſzZ_éÉσςΣßẞİiIıǅǆǄ日.-")
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom(alphabet), 0, 4, -1)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := Fold(a) == Fold(b), strings.EqualFold(a, b); got != want {
			t.Fatalf("%q and %q: same form %v, EqualFold %v", a, b, got, want)
		}
	})
}

func TestFoldSortsAsLowerCase(t *testing.T) {
	for _, s := range []string{"Zebra_1", "KISS", "abc-~."} {
		if got := Fold(s); got != strings.ToLower(s) {
			t.Errorf("Fold(%q) = %q", s, got)
		}
	}
}

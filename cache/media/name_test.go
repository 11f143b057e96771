package media

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/tree"
)

func TestFold(t *testing.T) {
	t.Parallel()
	require.Equal(t, tree.Fold("MAKEFILE"), tree.Fold("makefile"))
	require.Equal(t, tree.Fold("ÜBER"), tree.Fold("über"))
	require.Equal(t, tree.Fold("Σίσυφος"), tree.Fold("σίσυφοσ"))
	require.Equal(t, tree.Fold("K"), tree.Fold("\u212a")) // KELVIN SIGN
	require.NotEqual(t, tree.Fold("ß"), tree.Fold("ss"))
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.String().Draw(t, "a")
		b := rapid.String().Draw(t, "b")
		require.Equal(t, tree.Fold(a), tree.Fold(tree.Fold(a)))
		require.Equal(t, strings.EqualFold(a, b), tree.Fold(a) == tree.Fold(b))
		require.True(t, strings.EqualFold(a, tree.Fold(a)))
	})
}

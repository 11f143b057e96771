package view

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOtherWordsAreAnotherVersion: a page with the old ones is asked for again.
func TestOtherWordsAreAnotherVersion(t *testing.T) {
	require.Equal(t, Version, version())
	next := Languages[1].Next
	t.Cleanup(func() { Languages[1].Next = next })
	Languages[1].Next = "Nächste"
	require.NotEqual(t, Version, version())
}

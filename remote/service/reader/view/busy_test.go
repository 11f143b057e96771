package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASearchThatWaitsIsToldOfAsOtherPages: by the title that tells a paper from others, and with a name
// that is read in its own direction.
func TestASearchThatWaitsIsToldOfAsOtherPages(t *testing.T) {
	var b strings.Builder
	require.NoError(t, (&Busy{Frame: Frame{Name: "שלום", Title: "שלום – Sale"}}).Write(&b))
	require.Contains(t, b.String(), "<title>Search: שלום – Sale</title>")
	require.Contains(t, b.String(), `<h1 lang="en" dir="auto">שלום</h1>`)
}

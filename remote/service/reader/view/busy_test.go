package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASearchThatWaitsIsToldOfAsOtherPages checks that the page of a busy search has the paper's title, and
// its name in the name's own direction.
func TestASearchThatWaitsIsToldOfAsOtherPages(t *testing.T) {
	var b strings.Builder
	require.NoError(t, (&Busy{Frame: Frame{Name: "שלום", Title: "שלום – Sale"}}).Write(&b))
	require.Contains(t, b.String(), "<title>Search: שלום – Sale</title>")
	require.Contains(t, b.String(), `<h1 lang="en" dir="auto">שלום</h1>`)
}

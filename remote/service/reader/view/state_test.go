package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAStateSaysWhose checks that a page in place of pages has the title of what is missing, and its name in the
// name's own direction.
func TestAStateSaysWhose(t *testing.T) {
	var b strings.Builder
	require.NoError(t, (&State{Saying: Saying{Heading: "Search"}, Frame: Frame{Name: "שלום", Title: "שלום – Sale"}}).Write(&b))
	require.Contains(t, b.String(), "<title>Search: שלום – Sale</title>")
	require.Contains(t, b.String(), `<p class="whose" lang="en" dir="auto">שלום</p>`)
}

package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHeadingsWithoutDestinationStay checks that one leads to its first chapter, and that one without any is left out.
func TestHeadingsWithoutDestinationStay(t *testing.T) {
	t.Parallel()
	_, r := made(t, sheet{catalog: "/Outlines 5 0 R", objects: []string{
		"<</Type/Outlines/First 6 0 R/Last 9 0 R/Count 3>>",
		"<</Title(Part I)/Parent 5 0 R/First 7 0 R/Last 7 0 R/Next 9 0 R>>",
		"<</Title(Section)/Parent 6 0 R/First 8 0 R/Last 8 0 R>>",
		"<</Title(Chapter)/Parent 7 0 R/Dest[3 0 R/Fit]>>",
		"<</Title(Nowhere)/Parent 5 0 R/First 10 0 R/Last 10 0 R/Prev 6 0 R>>",
		"<</Title(Nothing)/Parent 9 0 R>>",
	}})
	require.Equal(t, Outline{{1, 0, "Part I"}, {1, 1, "Section"}, {1, 2, "Chapter"}}, r.outline)
}

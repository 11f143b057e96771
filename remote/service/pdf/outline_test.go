package pdf

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

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

// TestBookmarksThatFormALoop checks that each is taken once.
func TestBookmarksThatFormALoop(t *testing.T) {
	t.Parallel()
	_, r := made(t, sheet{catalog: "/Outlines 5 0 R", objects: []string{
		"<</Type/Outlines/First 6 0 R/Last 8 0 R>>",
		"<</Title(First)/Parent 5 0 R/Dest[3 0 R/Fit]/Next 7 0 R>>",
		"<</Title(Second)/Parent 5 0 R/Dest[3 0 R/Fit]/First 6 0 R/Next 8 0 R>>",
		"<</Title(Third)/Parent 5 0 R/Dest[3 0 R/Fit]/Next 6 0 R>>",
	}})
	require.Equal(t, Outline{{1, 0, "First"}, {1, 0, "Second"}, {1, 0, "Third"}}, r.outline)
}

// TestBookmarksLeadByAnyKindOfDestination checks names in the catalog and in a tree, and numbers of pages.
func TestBookmarksLeadByAnyKindOfDestination(t *testing.T) {
	t.Parallel()
	for written, page := range map[string]int{
		"/Dest/Old": 1, "/Dest(new)": 1, "/Dest(nested)": 1, "/Dest[0/Fit]": 1, "/A<</S/GoTo/D(new)>>": 1, "/A<</S/GoTo/D[3 0 R/XYZ 28.3]>>": 1, "/A 12 0 R": 1,
		"/Dest(none)": 0, "/Dest[7/Fit]": 0, "/Dest[99 0 R/Fit]": 0, "/A<</S/URI/URI(https://example.org/)>>": 0,
	} {
		t.Run(written, func(t *testing.T) {
			t.Parallel()
			_, r := made(t, sheet{
				catalog: "/Outlines 5 0 R/Dests<</Old[3 0 R/Fit]>>/Names<</Dests<</Kids[8 0 R]>>>>",
				objects: []string{"<</Type/Outlines/First 6 0 R/Last 6 0 R>>", "<</Title(One)/Parent 5 0 R" + written + ">>", "null", "<</Kids[9 0 R 10 0 R]>>",
					"<</Names[(new)[3 0 R/Fit]]>>", "<</Names[(nested)11 0 R]>>", "<</D[3 0 R/Fit]>>", "<</S/GoTo/D/Old>>"},
			})
			if page == 0 {
				require.Empty(t, r.outline)
				return
			}
			require.Equal(t, Outline{{page, 0, "One"}}, r.outline)
		})
	}
}

func TestTitlesAreInAnyEncoding(t *testing.T) {
	t.Parallel()
	utf16In := func(order binary.AppendByteOrder, text string) string {
		var b []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			b = order.AppendUint16(b, unit)
		}
		return string(b)
	}
	for written, want := range map[string]string{
		utf16In(binary.BigEndian, "Füße — 🌹"):                  "Füße — 🌹",
		utf16In(binary.LittleEndian, "Ωμέγα"):                  "Ωμέγα",
		utf16In(binary.BigEndian, "\x1bde\x1bMit Sprache"):     "Mit Sprache",
		"\ufeffŽluťoučký":                                      "Žluťoučký",
		"PDFDoc \x84 dash \x8dquote\x8e \xa0 \xfcber \x93\x94": "PDFDoc — dash “quote” € über ﬁﬂ",
		"Two\rlines\tand tab\x00":                              "Two lines and tab",
	} {
		require.Equal(t, want, cleanTitle(written), "%q", written)
	}
}

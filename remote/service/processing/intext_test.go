package processing

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/pdf"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// TestATextFullOfIds checks that the cost and the number of links are bounded, and that the reason
// says so once.
func TestATextFullOfIds(t *testing.T) {
	t.Parallel()
	e := &enrichment{table: property.ProductTable{"R-7": {ID: "R-7", Name: strings.Repeat("<", property.FieldBytes), BadPrice: strings.Repeat("x", property.FieldBytes)}}}
	ids := strings.Repeat("R-7 ", 1<<19)
	began := time.Now()
	lines := []pdf.Line{{Width: 1, Height: .1, Text: ids}, {Width: 1, Height: .1, Text: ids}}
	found := e.inText(store.Link{Page: 3}, lines, nil)
	require.Less(t, time.Since(began), 30*time.Second, "the work for a line must not grow with its words")
	require.LessOrEqual(t, len(found), mostItems)
	require.Less(t, len(found)*len(found[0].Param), itemBytes)
	require.Greater(t, found[len(found)-1].X, found[0].X)
	require.Empty(t, e.inText(store.Link{Page: 4}, lines, nil))
	_, ok := e.link(store.Link{Page: 5}, property.ProductTag{Kind: property.Shop, ID: "R-7"})
	require.False(t, ok)
	require.Len(t, e.named, 2, "each problem is named once: %v", e.named)
	for page := range 2 * mostProblems {
		_, ok = e.link(store.Link{Page: page}, property.ProductTag{Kind: property.Shop, ID: strings.Repeat("x", property.FieldBytes)})
		require.False(t, ok)
	}
	require.Len(t, e.named, mostProblems)
	require.Less(t, len(e.reason()), 20<<10, "a reason contains only the beginning of long texts")
}

// TestALineIsDivided checks that a link reaches from its product's word to that of the next.
func TestALineIsDivided(t *testing.T) {
	t.Parallel()
	e := &enrichment{table: property.ProductTable{"R-7": {ID: "R-7"}, "G-1": {ID: "G-1"}, "H-2": {ID: "H-2"}}}
	found := e.inText(store.Link{}, []pdf.Line{{X: .1, Width: .8, Text: "R-7, é G-1 or H-2"}}, nil)
	require.Len(t, found, 3)
	part := func(runes float64) float64 { return .8 * runes / 17 }
	require.InDeltaSlice(t, []float64{.1, .1 + part(7), .1 + part(14)}, []float64{found[0].X, found[1].X, found[2].X}, 1e-9)
	require.InDeltaSlice(t, []float64{part(7), part(7), part(3)}, []float64{found[0].Width, found[1].Width, found[2].Width}, 1e-9)
}

// TestIdsInText checks that ids are found as whole words, including those with blanks and signs.
func TestIdsInText(t *testing.T) {
	t.Parallel()
	table := property.ProductTable{}
	for _, text := range []string{"RK-7", "AB 12-3/4", "AB 12", "C++", "C#1", "No. 12 b", "+45", "# 12", "(R) 9", "R7", "Ø 8", "...", "A\u00a0 B C"} {
		table[text] = property.Product{ID: text}
	}
	all := indexOf(table)
	for line, want := range map[string][]string{
		"RK-7":                          {"RK-7"},
		"(RK-7), RK-7.":                 {"RK-7", "RK-7"},
		"RK-77 xRK-7 RK-7x RK-7/8 rk-7": nil,
		"Saw AB 12-3/4, 9.-":            {"AB 12-3/4"},
		"Saw “AB 12” or AB 12-3/4":      {"AB 12", "AB 12-3/4"},
		"AB 12-3/45 AB, 12 xAB 12":      nil,
		"C++ and C":                     {"C++"},
		"(C#1)":                         {"C#1"},
		"see No. 12 b and No. 12":       {"No. 12 b"},
		"+45 or 45":                     {"+45"},
		"# 12 and 12":                   {"# 12"},
		"(R) 9":                         {"(R) 9"},
		"R7 9 8 ...":                    nil,
		"Ø 8, a b c, A B C":             {"Ø 8", "A\u00a0 B C"},
		"":                              nil,
	} {
		var got []string
		for at, p := range all.in(line) {
			got = append(got, p.ID)
			require.LessOrEqual(t, at, len(line))
		}
		require.Equal(t, want, got, line)
	}
}

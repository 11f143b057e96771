package processing

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/property"
)

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

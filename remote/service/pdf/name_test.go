package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestLinksAreNamedAfterTheLettersUnderThem checks names from parts of lines and words, and from
// several lines.
func TestLinksAreNamedAfterTheLettersUnderThem(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("i", 2*nameBytes)
	areas := []struct {
		pdftest.Link
		name string
	}{
		{pdftest.Link{Left: 90, Bottom: 698, Right: 400, Top: 709}, "see [12], Smith"},
		{pdftest.Link{Left: 118.5, Bottom: 698, Right: 135.5, Top: 709}, "[12]"},
		{pdftest.Link{Left: 118.5, Bottom: 678, Right: 135.5, Top: 709}, "[12] othe"},
		{pdftest.Link{Left: 90, Bottom: 678, Right: 400, Top: 709}, "see [12], Smith and others"},
		{pdftest.Link{Left: 300, Bottom: 698, Right: 400, Top: 709}, ""},
		{pdftest.Link{Left: 90, Bottom: 658, Right: 590, Top: 669}, long[:nameBytes] + "…"},
	}
	sheet := pdftest.Sheet{Content: "BT /F1 10 Tf 20 TL 100 700 Td (see [12], Smith) Tj T* (and others) Tj T* (" + long + ") Tj ET"}
	var want []string
	for i, a := range areas {
		a.URI = fmt.Sprint("https://example.org/", i)
		sheet.Links = append(sheet.Links, a.Link)
		want = append(want, a.name)
	}
	require.Equal(t, want, linkNames(t, sheet))
}

// TestNamesHaveABound checks that links over text beyond the bound have no name.
func TestNamesHaveABound(t *testing.T) {
	t.Parallel()
	const letters, lines = 1000, mostLetters/1000 + 1
	sheet := pdftest.Sheet{Width: 10_000, Height: 10_000, Content: "BT /F1 10 Tf 20 TL 100 9000 Td\n" +
		strings.Repeat("("+strings.Repeat("i", letters)+") Tj T*\n", lines) + "ET"}
	for i := range lines {
		y := 9000 - 20*float64(i)
		sheet.Links = append(sheet.Links, pdftest.Link{Left: 100, Bottom: y + 1, Right: 104, Top: y + 5, URI: "https://example.org/"})
	}
	names := linkNames(t, sheet)
	require.Equal(t, "ii", names[0])
	require.Equal(t, "ii", names[lines-2])
	require.Empty(t, names[lines-1])
}

func linkNames(t *testing.T, sheet pdftest.Sheet) (names []string) {
	r := testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Document([]pdftest.Sheet{sheet})), Job{}))(t)
	for _, l := range r.pages[0].Links {
		names = append(names, l.Name)
	}
	return names
}

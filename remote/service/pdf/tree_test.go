package pdf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestOneBadPageIsOneBadPage checks trees of pages with something else in them.
func TestOneBadPageIsOneBadPage(t *testing.T) {
	t.Parallel()
	const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F1 9 0 R>>>>/Contents %>>"
	one, three := strings.Replace(page, "%", "7 0 R", 1), strings.Replace(page, "%", "8 0 R", 1)
	for name, c := range map[string]struct {
		tree, second, third string
		want                string // texts of the pages
	}{
		"a kid is no page":        {"/Count 3/Kids[3 0 R 4 0 R 5 0 R]", "(not a page)", three, "one||three"},
		"a kid is missing":        {"/Count 3/Kids[3 0 R 99 0 R 5 0 R]", "null", three, "one||three"},
		"the last kid is no page": {"/Count 3/Kids[3 0 R 5 0 R 4 0 R]", "[]", three, "one|three|"},
		"the first too":           {"/Count 3/Kids[4 0 R 3 0 R 5 0 R]", "[]", three, "|one|three"},
		"pages only promised":     {"/Count 7/Kids[3 0 R 5 0 R]", "null", three, "one|three"},
		"more than promised":      {"/Count 1/Kids[3 0 R 5 0 R]", "null", three, "one|three"},
		"none promised":           {"/Count 0/Kids[3 0 R 5 0 R]", "null", three, "one|three"},
		"a loop":                  {"/Count 3/Kids[3 0 R 4 0 R 5 0 R]", "<</Type/Pages/Parent 2 0 R/Count 1/Kids[2 0 R]>>", three, "one|three"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := process(t, processor(Limits{}), write(t, pdftest.Objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages"+c.tree+">>", one, c.second, c.third,
				"null", pdftest.Stream("", say(50, 100, "one")), pdftest.Stream("", say(50, 100, "three")), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")), Job{})
			require.NoError(t, err)
			var texts []string
			for _, p := range r.pages {
				texts = append(texts, p.Text)
				require.Equal(t, p.Text == "", len(p.Warnings) == 1 && strings.Contains(p.Warnings[0], "blank"), p.Warnings)
				require.Equal(t, 1600, p.Images[0].Width)
			}
			require.Equal(t, c.want, strings.Join(texts, "|"))
			require.Equal(t, len(r.pages), r.announced)
		})
	}
}

// TestAPageThatCannotBeDrawnIsBlank checks a page for which PDFium has not enough memory, and those around it.
func TestAPageThatCannotBeDrawnIsBlank(t *testing.T) {
	var forms []string
	for i := range 12 {
		forms = append(forms, strings.Repeat("/X"+string(rune('0'+(i+1)/10))+string(rune('0'+(i+1)%10))+" Do ", 10))
	}
	for i := range forms {
		forms[i] = strings.ReplaceAll(forms[i], "/X0", "/X")
	}
	forms = append(forms, "0 0 10 10 re f")
	r, err := process(t, processor(Limits{Memory: 256 << 20}), write(t, pdftest.DocumentWith(forms, []pdftest.Sheet{{Content: "/X0 Do"}, {Text: "two"}, {Content: "/X0 Do"}, {Text: "four"}})), Job{})
	require.NoError(t, err)
	require.Len(t, r.pages, 4)
	for i, text := range []string{"", "two", "", "four"} {
		require.Equal(t, text, r.pages[i].Text)
		require.Equal(t, text == "", len(r.pages[i].Warnings) == 1, r.pages[i].Warnings)
		require.Len(t, r.pages[i].Images, len(Sizes))
	}
}

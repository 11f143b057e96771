package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestWhatAPDFAsksFor checks its language, direction, layout, title and labels, also of some of its pages.
func TestWhatAPDFAsksFor(t *testing.T) {
	t.Parallel()
	const labels = "/PageLabels<</Nums[0<</S/r>>2<</S/D>>3<</P(A-)/S/D/St 7>>4<<>>]>>"
	for name, c := range map[string]struct {
		catalog, title string
		job            Job
		want           Wishes
	}{
		"all":           {"/Lang(de_CH)/ViewerPreferences<</Direction/R2L>>/PageLayout/TwoPageLeft" + labels, "Spring sale", Job{}, Wishes{"Spring sale", "de-CH", "spread", true, true, []string{"i", "ii", "1", "A-7", ""}}},
		"some pages":    {labels, "", Job{From: 2, To: 3}, Wishes{Labels: []string{"ii", "1"}}},
		"UTF-16":        {"/Lang(\\376\\377\\000f\\000r)/PageLayout/TwoColumnRight", "", Job{}, Wishes{Language: "fr", Layout: "spread"}},
		"single":        {"/PageLayout/SinglePage/ViewerPreferences<</Direction/L2R>>/PageLabels<</Nums[0<</S/D>>]>>", "Microsoft Word - spring.docx", Job{}, Wishes{Layout: "single"}},
		"nothing":       {"", "", Job{}, Wishes{}},
		"nothing known": {"/Lang 7/PageLayout(SinglePage)/ViewerPreferences[]/PageLabels 99 0 R", "", Job{}, Wishes{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Asking(c.catalog, c.title, "a", "b", "c", "d", "e")), c.job))(t)
			require.Equal(t, c.want, r.wishes)
		})
	}
}

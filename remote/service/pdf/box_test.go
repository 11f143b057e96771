package pdf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestAPageShowsWhatItsBoxesSay checks where a word, a blue area and a link are on pages with unusual boxes. All three are at
// the same place, 100 points from the left and 300 from the bottom of a page of 400 by 500.
func TestAPageShowsWhatItsBoxesSay(t *testing.T) {
	t.Parallel()
	const content = "0 0 1 rg 100 300 100 50 re f 0 g BT /F1 20 Tf 105 310 Td (MMMM) Tj ET"
	const media = "/MediaBox[0 0 400 500]"
	upright, quarter := [4]float64{.25, .3, .25, .1}, [4]float64{.6, .25, .1, .25}
	for name, c := range map[string]struct {
		page, tree, content string
		place               [4]float64 // of the area, as fractions of what shows
		wide                float64    // what shows, as part of its height
	}{
		"plain":                 {media, "", "", upright, .8},
		"corners swapped":       {"/MediaBox[400 500 0 0]", "", "", upright, .8},
		"elsewhere":             {"/MediaBox[-300 -421 100 79]", "", "1 0 0 1 -300 -421 cm ", upright, .8},
		"inherited":             {"", media + "/Rotate 90", "", quarter, 1.25},
		"turned":                {media + "/Rotate 90", "", "", quarter, 1.25},
		"turned more than once": {media + "/Rotate 450", "", "", quarter, 1.25},
		"upside down":           {media + "/Rotate 180", "", "", [4]float64{.5, .6, .25, .1}, .8},
		"turned back":           {media + "/Rotate -90", "", "", [4]float64{.3, .5, .1, .25}, 1.25},
		"turned and cropped":    {"/MediaBox[0 0 900 900]/CropBox[0 0 400 500]/Rotate 90", "", "", quarter, 1.25},
		"cropped larger":        {media + "/CropBox[-50 -50 968 600]", "", "", upright, .8},
		"cropped elsewhere":     {media + "/CropBox[2000 2000 2600 2800]", "", "", upright, .8},
		"cropped to nothing":    {media, "/CropBox[-200 0 -100 500]", "", upright, .8},
		"user units":            {"/MediaBox[0 0 4 5]/UserUnit 100", "", ".01 0 0 .01 0 0 cm ", upright, .8},
		"tiny":                  {"/MediaBox[0 0 .8 1]", "", ".002 0 0 .002 0 0 cm ", upright, .8},
		"five metres":           {"/MediaBox[0 0 11200 14000]", "", "28 0 0 28 0 0 cm ", upright, .8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := process(t, processor(Limits{}), write(t, pdftest.Objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]"+c.tree+">>",
				"<</Type/Page/Parent 2 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>/Contents 4 0 R"+c.page+">>",
				pdftest.Stream("", c.content+content))), Job{})
			require.NoError(t, err)
			p := r.pages[0]
			require.InDelta(t, c.wide, float64(p.Images[0].Width)/float64(p.Images[0].Height), .002)
			require.Equal(t, "MMMM", strings.TrimSpace(p.Text))
			require.Len(t, p.Lines, 1)
			l, place := p.Lines[0], c.place
			require.InDelta(t, place[0]+place[2]/2, l.X+l.Width/2, .06)
			require.InDelta(t, place[1]+place[3]/2, l.Y+l.Height/2, .06)
			picture := drawn(t, p)
			for x := range 40 {
				for y := range 40 {
					across, down := (float64(x)+.5)/40, (float64(y)+.5)/40
					inside := across > place[0] && across < place[0]+place[2] && down > place[1] && down < place[1]+place[3]
					_, green, b, _ := picture.At(int(across*float64(p.Images[0].Width)), int(down*float64(p.Images[0].Height))).RGBA()
					if !inside {
						require.Greater(t, green, uint32(0xc000), "%f %f", across, down)
					} else if b > 0xe000 { // not in a letter
						require.Less(t, green, uint32(0x4000), "%f %f", across, down)
					}
				}
			}
		})
	}
}

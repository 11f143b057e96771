package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestButtonsAreLinks checks the actions of interactive PDFs, on pages that are turned and cropped too, and
// destinations in a tree of names that is not in order.
func TestButtonsAreLinks(t *testing.T) {
	t.Parallel()
	actions := []struct{ entries, uri string }{
		{"/Subtype/Widget/FT/Btn/Ff 65536/A<</S/URI/URI(www.example.org/button)>>", "http://www.example.org/button"},
		{"/Subtype/Widget/FT/Btn/Ff 65536/AA<</U<</S/URI/URI(https://example.org/up)>>>>", "https://example.org/up"},
		{"/Subtype/Widget/Parent 20 0 R/A<</S/GoTo/D[4 0 R/Fit]>>", "2"},
		{"/Subtype/Widget/FT/Btn/Ff 65536/A<</S/GoTo/D(beta)>>", "3"},
		{"/Subtype/Link/A<</S/Named/N/NextPage>>", "3"},
		{"/Subtype/Link/A<</S/Named/N/PrevPage>>", "1"},
		{"/Subtype/Link/A<</S/Named/N/LastPage>>", "3"},
		{"/Subtype/Link/A<</S/Named/N/FirstPage>>", "1"},
		{"/Subtype/Link/Dest(alpha)", "1"},
		{"/Subtype/Link/A<</S/GoTo/D(zeta)>>", "2"},
		{"/Subtype/Widget/FT/Btn/Ff 65536/F 2/A<</S/URI/URI(https://example.org/hidden)>>", ""},
		{"/Subtype/Widget/FT/Tx/A<</S/URI/URI(https://example.org/text)>>", ""},
		{"/Subtype/Widget/FT/Btn/A<</S/URI/URI(https://example.org/check)>>", ""},
		{"/Subtype/Widget/FT/Btn/Ff 65536/A<</S/Launch/F(calc.exe)>>", ""},
		{"/Subtype/Link/A<</S/GoToR/F(other.pdf)/D[0/Fit]>>", ""},
	}
	var annotations strings.Builder
	want := map[string]int{}
	for i, a := range actions {
		fmt.Fprintf(&annotations, "<</Type/Annot/Rect[%d 100 %d 120]%s>>", 120+10*i, 128+10*i, a.entries)
		if a.uri != "" {
			want[a.uri+fmt.Sprint(" at ", i)]++
		}
	}
	page := func(more string) string { return "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]" + more + ">>" }
	for name, c := range map[string]struct {
		page string
		x    func(l Link) float64 // of the left edge on the page, in points
	}{
		"plain":   {"", func(l Link) float64 { return 600 * l.X }},
		"cropped": {"/CropBox[100 50 500 350]", func(l Link) float64 { return 100 + 400*l.X }},
		"turned":  {"/CropBox[100 50 500 350]/Rotate 90", func(l Link) float64 { return 100 + 400*l.Y }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects := []string{"<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[(zeta)[4 0 R/Fit](beta)<</D[5 0 R/Fit]>>(alpha)[3 0 R/Fit]]>>>>>>",
				"<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>", page(""), page(c.page + "/Annots[" + annotations.String() + "]"), page("")}
			for len(objects) < 19 {
				objects = append(objects, "null")
			}
			r := testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Objects(append(objects, "<</FT/Btn/Ff 65536/T(parent)>>")...)), Job{}))(t)
			got := map[string]int{}
			for _, l := range r.pages[1].Links {
				to := l.URI
				if to == "" {
					to = fmt.Sprint(l.Page)
				}
				got[fmt.Sprint(to, " at ", int(c.x(l)-119.5)/10)]++
			}
			require.Equal(t, want, got)
		})
	}
}

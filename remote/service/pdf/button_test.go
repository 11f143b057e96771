package pdf

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
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

// TestAWorkerIsNotTrusted checks that impossible numbers are errors, and do not reach the sink.
func TestAWorkerIsNotTrusted(t *testing.T) {
	t.Parallel()
	good := func() (Page, Outline) {
		return Page{Number: 1, Images: make([]Image, len(Sizes)), Lines: []Line{{X: .1, Y: .1, Width: .9, Height: .1, Text: "a"}}},
			Outline{{Page: 1, Title: "A"}, {Page: 1, Level: deepestBookmarks, Title: "B"}}
	}
	for name, change := range map[string]func(p *Page, o Outline){
		"":                 func(*Page, Outline) {},
		"no number":        func(p *Page, _ Outline) { p.Lines[0].X = math.NaN() },
		"endless":          func(p *Page, _ Outline) { p.Lines[0].Width = math.Inf(1) },
		"outside":          func(p *Page, _ Outline) { p.Lines[0].Y = -1 },
		"no place":         func(p *Page, _ Outline) { p.Lines[0].Words = []float64{.1, math.NaN()} },
		"places":           func(p *Page, _ Outline) { p.Lines[0].Words = make([]float64, 4) },
		"lines":            func(p *Page, _ Outline) { p.Lines = make([]Line, mostLines+1) },
		"above the first":  func(_ *Page, o Outline) { o[1].Level = -1 },
		"below the lowest": func(_ *Page, o Outline) { o[1].Level = math.MaxInt },
	} {
		page, outline := good()
		change(&page, outline)
		var sent bytes.Buffer
		out := gob.NewEncoder(&sent)
		for _, m := range []message{{Running: true}, {Pages: 1}, {Page: &page}, {Outline: outline, End: true}} {
			require.NoError(t, out.Encode(m))
		}
		r := &result{}
		err := receive(&sent, r, func() {}, Limits{}.WithDefaults())
		if name == "" {
			require.NoError(t, err)
			require.Len(t, r.outline, 2)
			continue
		}
		require.ErrorIs(t, err, errBroken, name)
		require.Empty(t, r.outline, name)
	}
}

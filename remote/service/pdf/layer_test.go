package pdf

import (
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestOnlyWhatShowsIsText checks layers that are off, also in forms and groups, and text outside of the page.
func TestOnlyWhatShowsIsText(t *testing.T) {
	t.Parallel()
	layer := func(name, content string) string { return "/OC /" + name + " BDC " + content + "EMC\n" }
	const form = "/Type/XObject/Subtype/Form/BBox[0 0 500 500]/Resources<</Font<</F1 14 0 R>>/Properties<</Off 6 0 R>>>>"
	p, _ := made(t, sheet{
		catalog:   "/OCProperties<</OCGs[5 0 R 6 0 R 7 0 R]/D<</ON[5 0 R]/OFF[6 0 R]>>>>",
		page:      "/MediaBox[-100 -100 900 900]/CropBox[0 0 500 500]/Annots[13 0 R]",
		resources: "/Properties<</On 5 0 R/Off 6 0 R/Print 7 0 R/All 8 0 R/Any 9 0 R>>/XObject<</Hidden 11 0 R/Inner 12 0 R>>",
		content: say(50, 450, "Plain") + layer("On", say(50, 420, "English")) + layer("Off", say(50, 390, "GERMAN")) + layer("Print", say(50, 360, "PROOF")) +
			layer("All", say(50, 330, "BOTH")) + layer("Any", say(50, 300, "Either")) + "q /Hidden Do Q q /Inner Do Q " +
			say(50, -50, "SLUG") + say(700, 450, "BESIDE") + say(50, 700, "ABOVE"),
		objects: []string{
			"<</Type/OCG/Name(English)>>", "<</Type/OCG/Name(German)>>",
			"<</Type/OCG/Name(Print)/Usage<</View<</ViewState/OFF>>/Print<</PrintState/ON>>>>>>",
			"<</Type/OCMD/P/AllOn/OCGs[5 0 R 6 0 R]>>", "<</Type/OCMD/OCGs[5 0 R 6 0 R]>>", "null",
			pdftest.Stream(form+"/OC 6 0 R", say(50, 200, "HIDDENFORM")),
			pdftest.Stream(form, say(50, 150, "Form")+layer("Off", say(50, 120, "WITHIN"))),
			"<</Type/Annot/Subtype/FreeText/Rect[300 100 450 150]/Contents(NOTE)/DA(/Helv 20 Tf 0 g)/F 4/OC 6 0 R>>",
		},
	})
	require.Equal(t, "Plain\nEnglish\nEither\nForm", p.Text)
	require.Len(t, p.Lines, 4)
	require.Equal(t, 1., seen(drawn(t, p), white, 0, 0, 500, 140))
}

// TestWatermarkIsAtTheBottomLeftOfWhatShows checks pages that are turned, cropped and elsewhere.
func TestWatermarkIsAtTheBottomLeftOfWhatShows(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"plain":      "/MediaBox[0 0 500 500]",
		"90":         "/MediaBox[0 0 500 500]/Rotate 90",
		"180":        "/MediaBox[0 0 500 500]/Rotate 180",
		"270":        "/MediaBox[0 0 500 500]/Rotate -90",
		"cropped":    "/MediaBox[0 0 900 900]/CropBox[300 200 800 700]",
		"turned too": "/MediaBox[0 0 900 900]/CropBox[300 200 800 700]/Rotate 90",
		"shifted":    "/MediaBox[-300 -421 200 79]",
		"swapped":    "/MediaBox[500 500 0 0]",
		"user units": "/MediaBox[0 0 5 5]/UserUnit 100",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark := Watermark{Text: "MMMM", Opacity: 1, FontSize: 24}
			r := testrun.Must(process(t, processor(Limits{}), write(t, sheet{page: page}.bytes()), Job{Watermark: &mark}))(t)
			picture := drawn(t, r.pages[0])
			grey := color.RGBA{96, 96, 96, 255}
			require.Greater(t, seen(picture, grey, 20, 20, 100, 38), .3, "upright")
			require.Equal(t, 1., seen(picture, white, 0, 45, 500, 500))
			require.Equal(t, 1., seen(picture, white, 105, 0, 500, 500))
		})
	}
}

// TestAttachedTables checks that the job gets attachments named .csv if it asks for them and they are not too large.
func TestAttachedTables(t *testing.T) {
	t.Parallel()
	sheet := pdftest.Sheet{Text: "Rake"}
	table := pdftest.File{Name: "products.CSV", Content: "Id,Name\nRK-7,Rake\n"}
	path := write(t, pdftest.Attached([]pdftest.File{{Name: "a.txt", Content: "Id"}, table, {Name: "empty.csv"}}, sheet))
	r := testrun.Must(process(t, processor(Limits{}), path, Job{Tables: true}))(t)
	require.Empty(t, r.tableFailure)
	require.Len(t, r.tables, 2)
	require.Equal(t, Attachment{table.Name, []byte(table.Content)}, r.tables[0])

	r = testrun.Must(process(t, processor(Limits{}), path, Job{}))(t)
	require.Empty(t, r.tables)

	large := pdftest.File{Name: "large.csv", Content: strings.Repeat("x", tableBytes)}
	r = testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Attached([]pdftest.File{table, large}, sheet)), Job{Tables: true}))(t)
	require.Contains(t, r.tableFailure, "too large")
	require.Len(t, r.tables, 1)
	require.Len(t, r.pages, 1)
}

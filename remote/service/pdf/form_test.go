package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestFormsAreDrawn checks fields with and without an appearance of their own, and that their text is the page's.
func TestFormsAreDrawn(t *testing.T) {
	t.Parallel()
	for name, need := range map[string]string{"": "", "appearances needed": "/NeedAppearances true"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := made(t, sheet{
				catalog: "/AcroForm<</Fields[5 0 R 6 0 R 7 0 R 8 0 R]/DA(/Helv 20 Tf 0 g)/DR<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>" + need + ">>",
				page:    "/Annots[5 0 R 6 0 R 7 0 R 8 0 R]",
				content: say(100, 450, "Order form"),
				objects: []string{
					"<</Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(order)/Rect[100 300 400 400]/F 4/AP<</N 9 0 R>>>>",
					"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(WITHOUT)/DA(/Helv 20 Tf 0 g)/Rect[100 200 400 240]/F 4/MK<</BG[1 1 0]>>>>",
					"<</Type/Annot/Subtype/Widget/FT/Tx/T(town)/V(WITH)/DA(/Helv 20 Tf 0 g)/Rect[100 100 400 140]/F 4/AP<</N 10 0 R>>>>",
					"<</Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(bare)/Rect[100 10 400 60]/F 4/MK<</CA(CAPTION)/BG[0 1 0]>>>>",
					pdftest.Stream("/Type/XObject/Subtype/Form/BBox[0 0 300 100]/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>", "0 0 1 rg 0 0 300 100 re f 1 g BT /F1 30 Tf 20 40 Td (ORDER NOW) Tj ET"),
					pdftest.Stream("/Type/XObject/Subtype/Form/BBox[0 0 300 40]/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>", "0 1 0 rg 0 0 300 40 re f 0 g BT /F1 20 Tf 20 10 Td (WITH) Tj ET"),
				},
			})
			picture := drawn(t, p)
			require.Greater(t, seen(picture, blue, 100, 300, 400, 400), .7)
			require.Greater(t, seen(picture, yellow, 100, 200, 400, 240), .7)
			require.Greater(t, seen(picture, green, 100, 100, 400, 140), .7, "the appearance of its own")
			require.Equal(t, 1., seen(picture, white, 90, 0, 410, 70), "a button without an appearance is where the page is")
			require.Equal(t, "Order form\nORDER NOW\nWITHOUT\nWITH", p.Text)
			require.Len(t, p.Lines, 4)
			require.InDelta(t, .6, p.Lines[2].Y, .1)
			require.Empty(t, p.Warnings)
		})
	}
}

// TestNotesOfReviewersAreNotShown checks that what belongs to the publication is shown nevertheless.
func TestNotesOfReviewersAreNotShown(t *testing.T) {
	t.Parallel()
	p, _ := made(t, sheet{
		page: "/Annots[5 0 R 6 0 R 7 0 R 8 0 R]", content: say(100, 400, "Annotated"),
		objects: []string{
			"<</Type/Annot/Subtype/Text/Rect[300 400 340 440]/Contents(FIXPRICE)/F 4/C[0 0 1]/Popup 6 0 R>>",
			"<</Type/Annot/Subtype/Popup/Rect[300 200 400 300]/Parent 5 0 R/Open true>>",
			"<</Type/Annot/Subtype/Highlight/Rect[100 395 200 420]/QuadPoints[100 420 200 420 100 395 200 395]/C[1 1 0]/F 4>>",
			"<</Type/Annot/Subtype/FreeText/Rect[100 100 300 150]/Contents(FREETEXT)/DA(/Helv 20 Tf 0 g)/F 4>>",
		},
	})
	picture := drawn(t, p)
	require.Equal(t, 1., seen(picture, white, 290, 190, 450, 450))
	require.Greater(t, seen(picture, yellow, 100, 395, 200, 420), .4)
	require.Equal(t, "Annotated\nFREETEXT", p.Text)
	require.Equal(t, []string{"the notes of reviewers (1) are not shown"}, p.Warnings)
}

// TestXFAIsTold checks a form of which PDFium draws only the substitute.
func TestXFAIsTold(t *testing.T) {
	t.Parallel()
	p, _ := made(t, sheet{catalog: "/NeedsRendering true/AcroForm<</Fields[]/XFA 5 0 R>>", content: say(100, 450, "Please wait"),
		objects: []string{pdftest.Stream("", "<xdp:xdp xmlns:xdp=\"http://ns.adobe.com/xdp/\"/>")}})
	require.Equal(t, "Please wait", p.Text)
	require.Len(t, p.Warnings, 1)
	require.Contains(t, p.Warnings[0], "XFA")
}

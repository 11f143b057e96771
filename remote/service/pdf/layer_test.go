package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
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

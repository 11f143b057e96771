package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// sheet is a PDF of one page of 500 by 500 points. The objects after the page number from 5.
type sheet struct {
	catalog, page string // entries
	resources     string // entries, besides fonts
	fonts         string // entries, besides F1, which is Helvetica
	content       string
	objects       []string
}

func (s sheet) bytes() []byte { return pdftest.Objects(s.all()...) }

func (s sheet) all() []string {
	page := s.page
	if !strings.Contains(page, "/MediaBox") {
		page += "/MediaBox[0 0 500 500]"
	}
	font := fmt.Sprint(5 + len(s.objects))
	return append(append([]string{
		"<</Type/Catalog/Pages 2 0 R" + s.catalog + ">>",
		"<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 " + font + " 0 R" + s.fonts + ">>" + s.resources + ">>/Contents 4 0 R" + page + ">>",
		pdftest.Stream("", s.content),
	}, s.objects...), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
}

// say is content with text at a place, 20 points high.
func say(x, y int, text string) string {
	return fmt.Sprintf("BT /F1 20 Tf %d %d Td (%s) Tj ET\n", x, y, text)
}

func drawn(t *testing.T, p Page) image.Image {
	t.Helper()
	return testrun.Must(jpeg.Decode(bytes.NewReader(p.Images[0].JPEG)))(t)
}

// seen returns how much of an area has about a colour, 0 to 1. The area is in points from the lower left
// of a page that is 500 points high and wide.
func seen(picture image.Image, c color.RGBA, left, bottom, right, top int) float64 {
	scale := float64(picture.Bounds().Dx()) / 500
	at := func(points int) int { return int(float64(points) * scale) }
	same, all := 0, 0
	for y := at(500 - top); y < at(500-bottom); y++ {
		for x := at(left); x < at(right); x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			if near(r, c.R) && near(g, c.G) && near(b, c.B) {
				same++
			}
			all++
		}
	}
	return float64(same) / float64(all)
}

func near(a uint32, b uint8) bool {
	d := int(a>>8) - int(b)
	return d > -48 && d < 48
}

var (
	white  = color.RGBA{255, 255, 255, 255}
	blue   = color.RGBA{0, 0, 255, 255}
	green  = color.RGBA{0, 255, 0, 255}
	yellow = color.RGBA{255, 255, 0, 255}
)

// made processes a PDF of one page.
func made(t *testing.T, s sheet) (Page, *result) {
	t.Helper()
	r := testrun.Must(process(t, processor(Limits{}), write(t, s.bytes()), Job{}))(t)
	require.Len(t, r.pages, 1)
	return r.pages[0], r
}

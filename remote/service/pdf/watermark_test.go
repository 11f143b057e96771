package pdf

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

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

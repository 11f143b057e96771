package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// packed returns a stream of what write writes, compressed.
func packed(t *testing.T, entries string, write func(z *zlib.Writer)) string {
	t.Helper()
	var b bytes.Buffer
	z := testrun.Must(zlib.NewWriterLevel(&b, zlib.BestSpeed))(t)
	write(z)
	require.NoError(t, z.Close())
	return pdftest.Stream("/Filter/FlateDecode"+entries, b.String())
}

// TestHeavyPagesAreDrawn checks a poster with a picture of 10,000 by 14,000 pixels, and a map of 100,000 transparent
// strokes, with the limits of a service.
func TestHeavyPagesAreDrawn(t *testing.T) {
	testrun.Long(t, "draws pages that take seconds")
	t.Parallel()
	poster := sheet{resources: "/XObject<</I 5 0 R>>", content: "q 500 0 0 500 0 0 cm /I Do Q " + say(100, 400, "Poster"), objects: []string{
		packed(t, "/Type/XObject/Subtype/Image/Width 10000/Height 14000/ColorSpace/DeviceRGB/BitsPerComponent 8", func(z *zlib.Writer) {
			for _, half := range [][2]string{{"\x00\x00\xff", "\x00\xff\x00"}, {"\xff\xff\x00", "\xff\xff\xff"}} {
				row := append(bytes.Repeat([]byte(half[0]), 5000), bytes.Repeat([]byte(half[1]), 5000)...)
				for range 7000 {
					_, _ = z.Write(row)
				}
			}
		}),
	}}
	plan := sheet{resources: "/XObject<</M 5 0 R>>", content: "/M Do " + say(100, 100, "Map"), objects: []string{
		packed(t, "/Type/XObject/Subtype/Form/BBox[0 200 500 500]/Resources<</ExtGState<</A<</CA .5>>>>>>", func(z *zlib.Writer) {
			r := rand.New(rand.NewPCG(1, 2))
			fmt.Fprintln(z, "0 0 1 RG 1 w /A gs")
			for range 100_000 {
				x, y := r.Float64()*500, 200+r.Float64()*300
				fmt.Fprintf(z, "%.1f %.1f m %.1f %.1f %.1f %.1f %.1f %.1f c S\n", x, y, x+5, y+3, x+8, y-4, x+9, y)
			}
		}),
	}}
	for text, s := range map[string]sheet{"Poster": poster, "Map": plan} {
		t.Run(text, func(t *testing.T) {
			r := testrun.Must(process(t, &Processor{Cache: pdftest.Cache(), Command: pdftest.Command()}, write(t, s.bytes()), Job{}))(t)
			require.Equal(t, text, r.pages[0].Text)
			require.Empty(t, r.pages[0].Warnings)
			picture := drawn(t, r.pages[0])
			if text == "Map" {
				require.Greater(t, seen(picture, blue, 50, 250, 450, 450), .7)
				require.Equal(t, 1., seen(picture, white, 0, 0, 500, 90))
				return
			}
			for place, c := range map[[2]int]color.RGBA{{0, 250}: blue, {250, 250}: green, {0, 0}: yellow, {250, 0}: white} {
				require.Greater(t, seen(picture, c, place[0]+5, place[1]+5, place[0]+245, place[1]+245), .98)
			}
		})
	}
}

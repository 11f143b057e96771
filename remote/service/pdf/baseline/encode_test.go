package baseline

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// scenes draw pixels. Each exercises another part of the encoder.
var scenes = map[string]func(x, y int, r *rand.Rand) color.RGBA{
	"paper": func(int, int, *rand.Rand) color.RGBA { return color.RGBA{255, 255, 255, 255} },
	"black": func(int, int, *rand.Rand) color.RGBA { return color.RGBA{0, 0, 0, 255} },
	"red":   func(int, int, *rand.Rand) color.RGBA { return color.RGBA{250, 10, 20, 255} },
	"slope": func(x, y int, _ *rand.Rand) color.RGBA {
		return color.RGBA{uint8(x), uint8(y), uint8(x + y), 255}
	},
	"letters": func(x, y int, _ *rand.Rand) color.RGBA {
		if x%23 < 3 && y%31 < 20 {
			return color.RGBA{0, 0, 0, 255}
		}
		return color.RGBA{255, 255, 255, 255}
	},
	"noise": func(_, _ int, r *rand.Rand) color.RGBA {
		return color.RGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255}
	},
}

var measures = [][2]int{{1, 1}, {7, 9}, {8, 8}, {16, 16}, {17, 33}, {100, 3}, {3, 100}, {131, 257}}

// TestAsGoodAsTheStandardLibrary checks that the decoded picture differs from the
// original no more than with image/jpeg, and that the file is no longer.
func TestAsGoodAsTheStandardLibrary(t *testing.T) {
	for name, scene := range scenes {
		for _, m := range measures {
			for _, quality := range []int{1, 30, 75, 100} {
				rgba := draw(m[0], m[1], scene)
				ours := RGBA(rgba.Pix, m[0], m[1], quality)
				requireAsGood(t, rgba, ours, quality, name)

				grey := image.NewGray(rgba.Rect)
				for i := range grey.Pix {
					grey.Pix[i] = rgba.Pix[4*i]
				}
				requireAsGood(t, grey, Grey(grey.Pix, m[0], m[1], quality), quality, name)
			}
		}
	}
}

// TestTheCodesSuitThePicture checks that a page of letters is smaller than with the codes of image/jpeg, which
// suit photographs, and shows the same.
func TestTheCodesSuitThePicture(t *testing.T) {
	page := draw(1131, 1600, scenes["letters"])
	ours := RGBA(page.Pix, 1131, 1600, 75)
	var theirs bytes.Buffer
	require.NoError(t, jpeg.Encode(&theirs, page, &jpeg.Options{Quality: 75}))
	require.LessOrEqual(t, len(ours), theirs.Len()*9/10)
	require.LessOrEqual(t, distance(t, page, ours), distance(t, page, theirs.Bytes())*1.01)
}

func requireAsGood(t *testing.T, picture image.Image, ours []byte, quality int, name string) {
	t.Helper()
	var theirs bytes.Buffer
	require.NoError(t, jpeg.Encode(&theirs, picture, &jpeg.Options{Quality: quality}))
	require.LessOrEqual(t, len(ours), theirs.Len()+theirs.Len()/50+16, "%s %v %d", name, picture.Bounds(), quality)
	require.LessOrEqual(t, distance(t, picture, ours), distance(t, picture, theirs.Bytes())*1.05+0.5, "%s %v %d", name, picture.Bounds(), quality)
}

// distance returns the root mean square difference of the samples.
func distance(t *testing.T, picture image.Image, encoded []byte) float64 {
	t.Helper()
	decoded := testrun.Must(jpeg.Decode(bytes.NewReader(encoded)))(t)
	require.Equal(t, picture.Bounds(), decoded.Bounds())
	var sum, n float64
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			r2, g2, b2, _ := decoded.At(x, y).RGBA()
			for _, d := range [3]float64{float64(r) - float64(r2), float64(g) - float64(g2), float64(b) - float64(b2)} {
				sum, n = sum+d*d, n+1
			}
		}
	}
	return math.Sqrt(sum/n) / 257
}

func draw(width, height int, scene func(x, y int, r *rand.Rand) color.RGBA) *image.RGBA {
	random := rand.New(rand.NewPCG(1, 2))
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p.SetRGBA(x, y, scene(x, y, random))
		}
	}
	return p
}

// FuzzRGBA checks that any pixels become a JPEG of the same width and height.
func FuzzRGBA(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8}, uint8(2), uint8(75))
	f.Add(bytes.Repeat([]byte{255, 0}, 700), uint8(18), uint8(99))
	f.Fuzz(func(t *testing.T, pix []byte, width, quality uint8) {
		w := int(width)
		if w == 0 || len(pix) < 4*w {
			return
		}
		h, q := len(pix)/4/w, int(quality)%100+1
		for _, encoded := range [][]byte{RGBA(pix, w, h, q), Grey(pix, w, h, q)} {
			decoded, err := jpeg.Decode(bytes.NewReader(encoded))
			if err != nil || decoded.Bounds() != image.Rect(0, 0, w, h) {
				t.Fatalf("%d × %d at %d: %v", w, h, q, err)
			}
		}
	})
}

func BenchmarkPage(b *testing.B) {
	page := draw(1131, 1600, scenes["letters"])
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			RGBA(page.Pix, 1131, 1600, 75)
		}
	})
	grey := image.NewGray(page.Rect)
	for i := range grey.Pix {
		grey.Pix[i] = page.Pix[4*i]
	}
	b.Run("grey", func(b *testing.B) {
		for b.Loop() {
			Grey(grey.Pix, 1131, 1600, 75)
		}
	})
	b.Run("standard", func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			if err := jpeg.Encode(&out, page, &jpeg.Options{Quality: 75}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

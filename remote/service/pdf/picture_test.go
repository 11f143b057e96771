package pdf

import (
	"bytes"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAGreyPageHasOneComponent checks also that all its sizes look like those of
// the same page encoded in colour.
func TestAGreyPageHasOneComponent(t *testing.T) {
	t.Parallel()
	const width, height, stride = 96, 64, 4*96 + 12 // a bitmap's rows may have padding
	random := rand.New(rand.NewPCG(1, 2))
	rgba := make([]byte, stride*height)
	for y := range height {
		for x := range width {
			g := byte(random.Uint32())
			copy(rgba[y*stride+4*x:], []byte{g, g, g, 0xff})
		}
	}
	grey, colours := copyPicture(rgba, stride, width, height), copyColours(rgba, stride, width, height)
	for _, n := range []int{1, 2, 4} {
		small, same := grey.shrink(n), colours.shrink(n)
		require.Equal(t, []int{width / n, height / n, 1, 4}, []int{small.width, small.height, small.samples, same.samples})
		for i, g := range small.pix {
			require.Equal(t, []byte{g, g, g, 0xff}, same.pix[4*i:][:4])
		}
		require.IsType(t, &image.Gray{}, decode(t, small))
	}
}

// TestAPixelOfASmallerPictureIsTheMeanOfItsSquare checks each pixel of shrunk pictures, for
// pictures of any size.
func TestAPixelOfASmallerPictureIsTheMeanOfItsSquare(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		samples := []int{1, 4}[random.IntN(2)]
		p := &picture{width: 1 + random.IntN(40), height: 1 + random.IntN(12), samples: samples}
		p.pix = make([]byte, p.width*p.height*samples)
		for i := range p.pix {
			p.pix[i] = byte(random.Uint32()) | byte(random.IntN(2)*0xff) // many have the maximum
		}
		for _, n := range []int{1, 2, 3, 4, 8} {
			small := p.shrink(n)
			require.Equal(t, []int{p.width / n, p.height / n, samples}, []int{small.width, small.height, small.samples})
			want := make([]byte, 0, len(small.pix))
			for i := range small.pix {
				x, y, sample := i/samples%small.width, i/samples/small.width, i%samples
				sum := 0
				for at := range n * n {
					sum += int(p.pix[((y*n+at/n)*p.width+x*n+at%n)*samples+sample])
				}
				want = append(want, byte(sum/(n*n)))
			}
			require.True(t, bytes.Equal(want, small.pix), "%d × %d, %d samples, by %d", p.width, p.height, samples, n)
		}
	}
}

// BenchmarkPicture copies a mostly blank page out of PDFium's memory, and shrinks
// it to the smaller sizes.
func BenchmarkPicture(b *testing.B) {
	const width, height = 1131, 1600
	random := rand.New(rand.NewPCG(5, 6))
	rgba := bytes.Repeat([]byte{0xff}, 4*width*height)
	for range width * height / 10 {
		g := byte(random.Uint32())
		copy(rgba[4*random.IntN(width*height):], []byte{g, g, g})
	}
	coloured := bytes.Clone(rgba)
	coloured[0] = 0
	for name, of := range map[string][]byte{"grey": rgba, "colours": coloured} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				copyPicture(of, 4*width, width, height).shrink(2).shrink(4)
			}
		})
	}
}

// TestOneColouredPixelKeepsItsColour checks a pixel at every position.
func TestOneColouredPixelKeepsItsColour(t *testing.T) {
	t.Parallel()
	const width, height = 16, 16
	for at := range width * height {
		rgba := bytes.Repeat([]byte{0x80, 0x80, 0x80, 0xff}, width*height)
		rgba[4*at+at%3] = 0xff
		p := copyPicture(rgba, 4*width, width, height)
		require.Equal(t, rgba, p.pix)
		require.IsType(t, &image.YCbCr{}, decode(t, p))
	}
}

func decode(t *testing.T, p *picture) image.Image {
	t.Helper()
	decoded := testrun.Must(jpeg.Decode(bytes.NewReader(p.jpeg(75))))(t)
	require.Equal(t, image.Rect(0, 0, p.width, p.height), decoded.Bounds())
	return decoded
}

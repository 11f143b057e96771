package pdf

import (
	"bytes"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAGreyPageHasOneComponent: and all its sizes show what the same page in
// colours would show.
func TestAGreyPageHasOneComponent(t *testing.T) {
	const width, height, stride = 96, 64, 4*96 + 12 // rows of a bitmap may be longer than its pixels
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

// TestOneColouredPixelKeepsItsColour wherever it is.
func TestOneColouredPixelKeepsItsColour(t *testing.T) {
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
	decoded, err := jpeg.Decode(bytes.NewReader(p.jpeg(75)))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, p.width, p.height), decoded.Bounds())
	return decoded
}

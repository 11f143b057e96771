package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongPagesAreWideEnoughToRead checks a page as long as ten.
func TestLongPagesAreWideEnoughToRead(t *testing.T) {
	t.Parallel()
	p, _ := made(t, sheet{page: "/MediaBox[0 0 600 6000]", content: say(50, 5900, "Top") + say(50, 50, "Bottom")})
	require.Equal(t, []int{1549, 15492}, []int{p.Images[0].Width, p.Images[0].Height})
	require.Equal(t, 774, p.Images[1].Width)
	require.Equal(t, "Top\nBottom", p.Text)
	for size, want := range map[[2]float64][2]int{
		{595, 842}:   {1131, 1600},
		{842, 595}:   {1600, 1131},
		{300, 601}:   {1600, 3205},
		{10, 1000}:   {164, 16384},
		{3, 14400}:   {8, 16384},
		{14400, 600}: {1600, 67},
	} {
		w, h := fit(size[0], size[1], Sizes[0].Longest)
		require.Equal(t, want, [2]int{w, h}, "%v", size)
	}
}

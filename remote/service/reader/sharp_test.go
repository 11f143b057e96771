package reader_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// enlarged tells by how much the picture of page 2 is enlarged on the screen, and its type. naturalWidth does not tell it: it
// is that of the attribute sizes.
const enlarged = `(() => {
	const img = document.querySelector('#p2 img'), at = new URL(img.currentSrc).search
	const width = Number(img.srcset.split(', ').find(choice => choice.includes(at)).split(' ')[1].replace('w', ''))
	return [img.currentSrc.match(/ImageType=(\w+)/)[1], Math.round(100 * devicePixelRatio * img.getBoundingClientRect().width / width)]
})()`

// TestNoPictureIsEnlargedByItsWindow checks that a whole page is as sharp as its largest picture can be, and that no larger
// one is loaded than that takes.
func TestNoPictureIsEnlargedByItsWindow(t *testing.T) {
	browses(t)
	l := open(t)
	l.paper("book", booklet(6))
	hidden := l.paper("hidden", booklet(6))
	l.set(hidden, "autoMaximize", "true")
	low, high, small := desktop, desktop, desktop
	low.height, high.height = 940, 980
	small.width, small.height = 1024, 600
	for _, c := range []struct {
		what, path, kind string
		screen
	}{
		{"desktop", "/book/?Page=2", "Normal", desktop},
		{"higher", "/book/?Page=2", "Normal", low},
		{"too high for the normal picture", "/book/?Page=2", "Zoom", high},
		{"laptop", "/book/?Page=2", "Normal", small},
		{"without bars", "/book/?Page=2&HideNavigationBars=true", "Zoom", desktop},
		{"laptop without bars", "/book/?Page=2&HideNavigationBars=true", "Normal", small},
		{"bars that hide", "/hidden/?Page=2", "Zoom", desktop},
		{"phone", "/book/?Page=2", "Zoom", phone},
		{"phone on its side", "/book/?Page=2", "Zoom", screen{width: 844, height: 390, scale: 3, touch: true}},
		{"phone on its side without bars", "/book/?Page=2&HideNavigationBars=true", "Zoom", screen{width: 844, height: 390, scale: 3, touch: true}},
		{"simple phone", "/book/?Page=2", "Normal", screen{width: 360, height: 640, scale: 1.5, touch: true}},
		{"tablet", "/book/?Page=2", "Zoom", screen{width: 768, height: 1024, scale: 1, touch: true}},
	} {
		b := c.open(t)
		b.visit(l.URL + c.path)
		b.until(`(i => i.complete && i.naturalWidth && !i.currentSrc.includes('Thumb'))(document.querySelector('#p2 img'))`)
		got := value[[]any](b, enlarged)
		t.Log(c.what, got)
		require.Equal(t, c.kind, got[0], c.what)
		require.LessOrEqual(t, got[1], 100., c.what)
	}
}

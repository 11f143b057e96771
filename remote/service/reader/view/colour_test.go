package view

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryAccentIsLegible checks text on any accent, and links of that colour on the surfaces of both stages.
func TestEveryAccentIsLegible(t *testing.T) {
	for r := 0; r < 256; r += 15 {
		for g := 0; g < 256; g += 15 {
			for b := 0; b < 256; b += 15 {
				var accent, on, light, dark string
				style := Frame{Accent: fmt.Sprintf("#%02X%02x%02x", r, g, b)}.Style()
				_, err := fmt.Sscanf(style, ":root{--accent:%7s;--on:%7s;--link:light-dark(%7s,%7s);", &accent, &on, &light, &dark)
				require.NoError(t, err, style)
				of := func(text string) colour {
					c, ok := colourOf(text)
					require.True(t, ok, text)
					return c
				}
				require.Equal(t, colour{float64(r), float64(g), float64(b)}, of(accent))
				require.GreaterOrEqual(t, contrast(of(accent), of(on)), legible, style)
				require.GreaterOrEqual(t, contrast(of(light), lightSurface), legible, style)
				require.GreaterOrEqual(t, contrast(of(light), white), legible, style)
				require.GreaterOrEqual(t, contrast(of(dark), darkSurface), legible, style)
				require.GreaterOrEqual(t, contrast(of(dark), colour{0x1b, 0x1c, 0x1f}), legible, style)
			}
		}
	}
	for _, none := range []string{"", "red", "#12", "#gggggg", "#12345", "}</style>"} {
		require.Empty(t, Frame{Accent: none}.Style(), none)
	}
}

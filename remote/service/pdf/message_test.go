package pdf

import (
	"bytes"
	"encoding/gob"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAWorkerIsNotTrusted checks that impossible numbers are errors, and do not reach the sink.
func TestAWorkerIsNotTrusted(t *testing.T) {
	t.Parallel()
	good := func() (Page, Outline) {
		return Page{Number: 1, Images: make([]Image, len(Sizes)), Lines: []Line{{X: .1, Y: .1, Width: .9, Height: .1, Text: "a"}}},
			Outline{{Page: 1, Title: "A"}, {Page: 1, Level: deepestBookmarks, Title: "B"}}
	}
	for name, change := range map[string]func(p *Page, o Outline){
		"":                 func(*Page, Outline) {},
		"no number":        func(p *Page, _ Outline) { p.Lines[0].X = math.NaN() },
		"endless":          func(p *Page, _ Outline) { p.Lines[0].Width = math.Inf(1) },
		"outside":          func(p *Page, _ Outline) { p.Lines[0].Y = -1 },
		"no place":         func(p *Page, _ Outline) { p.Lines[0].Words = []float64{.1, math.NaN()} },
		"places":           func(p *Page, _ Outline) { p.Lines[0].Words = make([]float64, 4) },
		"lines":            func(p *Page, _ Outline) { p.Lines = make([]Line, mostLines+1) },
		"above the first":  func(_ *Page, o Outline) { o[1].Level = -1 },
		"below the lowest": func(_ *Page, o Outline) { o[1].Level = math.MaxInt },
	} {
		page, outline := good()
		change(&page, outline)
		var sent bytes.Buffer
		out := gob.NewEncoder(&sent)
		for _, m := range []message{{Running: true}, {Pages: 1}, {Page: &page}, {Outline: outline, End: true}} {
			require.NoError(t, out.Encode(m))
		}
		r := &result{}
		err := receive(&sent, r, func() {}, Limits{}.WithDefaults())
		if name == "" {
			require.NoError(t, err)
			require.Len(t, r.outline, 2)
			continue
		}
		require.ErrorIs(t, err, errBroken, name)
		require.Empty(t, r.outline, name)
	}
}

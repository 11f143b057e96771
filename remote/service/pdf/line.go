package pdf

import (
	"strings"
	"unicode"
)

// mostLines is how many lines a page may have; one with more gets none.
const mostLines = 10_000

// pageLines returns the lines of a page's text with letters. It returns no lines for a page with too many, or if
// earlier pages had too many.
func (d *document) pageLines(grid gridPlace, letters [][]letter) ([]Line, lettering) {
	named := lettering{grid: grid}
	if len(letters) > mostLines || d.lines >= d.Limits.Lines {
		return nil, named
	}
	var lines []Line
	for _, one := range letters {
		words := oneLine(runes(one))
		if words == "" {
			continue
		}
		l := placeOf(grid, one)
		if l.Text = words; l.Width > 0 && l.Height > 0 {
			if l.Width > l.Height {
				l.Words = wordPlaces(grid, one, strings.Count(words, " ")+1)
			}
			lines = append(lines, l)
			named.lines = append(named.lines, letteredLine{Line: l, letters: one})
		}
	}
	d.lines += len(lines)
	return lines, named
}

// runes returns the text of letters.
func runes(letters []letter) string {
	var b strings.Builder
	for _, l := range letters {
		b.WriteRune(l.r)
	}
	return b.String()
}

// wordPlaces returns where each word of a line begins and ends. It returns nil if a word is not located, or
// if the number of words differs.
func wordPlaces(grid gridPlace, line []letter, words int) []float64 {
	var places []float64
	begin := -1
	for i := range len(line) + 1 {
		switch blank := i == len(line) || unicode.IsSpace(line[i].r); {
		case !blank && begin < 0:
			begin = i
		case blank && begin >= 0:
			first, last := line[begin], line[i-1]
			if !first.located() || !last.located() || len(places) == 2*words {
				return nil
			}
			from, to := grid.shown(first.box), grid.shown(last.box)
			if to.X+to.Width <= from.X {
				return nil
			}
			places = append(places, from.X, to.X+to.Width)
			begin = -1
		}
	}
	if len(places) != 2*words {
		return nil
	}
	return places
}

// placeOf returns the area of a line's letters.
func placeOf(grid gridPlace, letters []letter) (l Line) {
	for _, one := range letters {
		switch place := grid.shown(one.box); {
		case !one.located():
		case l.Width == 0:
			l = place
		default:
			l = l.with(place)
		}
	}
	return l
}

// with returns the smallest area that contains both lines.
func (l Line) with(o Line) Line {
	x, y := min(l.X, o.X), min(l.Y, o.Y)
	return Line{X: x, Y: y, Width: max(l.X+l.Width, o.X+o.Width) - x, Height: max(l.Y+l.Height, o.Y+o.Height) - y}
}

package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/service/pdf"
)

// piece is a line, or the part of one in a column. Its place is in heights of the page, from the side where lines begin; text
// that has no place has no height. It knows where all its words are, or is one word.
type piece struct {
	pdf.Line
	goesOn bool // its last word ends in the next line
}

func (p piece) right() float64 { return p.X + p.Width }

// row reports whether a line is a row of a table.
func (p piece) row() bool { return p.gap(veryWide, func(float64, float64) bool { return true }) >= 0 }

// gap returns the number of words before the first gap of a width, in heights of the line, that is as asked; or -1.
func (p piece) gap(width float64, is func(from, to float64) bool) int {
	for i := 1; i+1 < len(p.Words); i += 2 {
		if from, to := p.Words[i], p.Words[i+1]; to-from > width*p.Height && is(from, to) {
			return (i + 1) / 2
		}
	}
	return -1
}

// pieces returns the lines of a page. The text says what they do not: which words are divided, and what has no place.
func pieces(text string, lines []pdf.Line, ratio float64, fromRight bool) (all []piece) {
	for _, line := range lines {
		after, ok := cutLine(text, line.Text)
		for !ok {
			skipped, rest, more := strings.Cut(text, "\n")
			all = append(all, piece{Line: pdf.Line{Text: skipped}})
			if text = rest; !more {
				return all
			}
			after, ok = cutLine(text, line.Text)
		}
		first, _ := utf8.DecodeRuneInString(after)
		if len(line.Words) != 2*len(strings.Fields(line.Text)) {
			line.Words = []float64{line.X, line.X + line.Width}
		}
		line.Words = slices.Clone(line.Words)
		for i := range line.Words {
			if line.Words[i] *= ratio; fromRight {
				line.Words[i] = ratio - line.Words[i^1]*ratio
			}
		}
		line.X, line.Width = line.Words[0], line.Words[len(line.Words)-1]-line.Words[0]
		goesOn := after != "" && (!unicode.IsSpace(first) || strings.HasSuffix(line.Text, "\u00ad"))
		all, text = append(all, piece{line, goesOn}), strings.TrimSpace(after)
	}
	return append(all, piece{Line: pdf.Line{Text: text}})
}

// cutLine removes a line from the beginning of a text, which may have other blanks.
func cutLine(text, line string) (rest string, ok bool) {
	for _, word := range strings.Fields(line) {
		if text, ok = strings.CutPrefix(strings.TrimSpace(text), word); !ok {
			return "", false
		}
	}
	return text, true
}

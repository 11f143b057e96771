package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// letterBox is the box of a letter or another area, in points of the page. That of a letter reaches
// to where the next one begins, and is as high as its font.
type letterBox struct{ left, top, right, bottom float32 }

// mostLetters is how many letters of a page are located; text after them names no link.
const mostLetters = 200_000

// letter is a character of PDFium's text.
type letter struct {
	r      rune
	index  int       // PDFium's character index; negative for a blank that it does not know, or if it has none
	box    letterBox // zero for a blank, and if it is not known
	hidden bool
}

func (l letter) located() bool { return l.box.right > l.box.left && l.box.top > l.box.bottom }

// letters returns the lines of a page's text, as pageText returns it, letter by letter, without what is outside of
// the page. Only the first mostLetters are located.
func (d *document) letters(grid gridPlace, text references.FPDF_TEXTPAGE, all string) [][]letter {
	var lines [][]letter
	at, asked := 0, 0
	for _, one := range strings.Split(all, lineEnd) {
		length := utf8.RuneCountInString(one)
		chars := d.charsOf(text, at, length)
		line := make([]letter, 0, length)
		for _, r := range one {
			if r == otherHyphen {
				r = hyphenRune
			}
			l := letter{r: r, index: -1}
			if index, ok := d.charOf(text, chars, len(line)); ok {
				l.index = index
			}
			line = append(line, l)
		}
		if asked += length; asked <= mostLetters {
			d.locate(text, line)
		}
		at += length + len(lineEnd)
		before := len(line)
		line = slices.DeleteFunc(line, func(l letter) bool { return l.hidden || l.located() && !grid.shows(l.box) })
		if len(line) == before || slices.ContainsFunc(line, letter.located) {
			lines = append(lines, d.inLines(text, line)...)
		}
	}
	return lines
}

// locate sets the boxes of a line's letters.
func (d *document) locate(text references.FPDF_TEXTPAGE, line []letter) {
	for i := range line {
		l := &line[i]
		if l.index < 0 || unicode.IsSpace(l.r) {
			continue
		}
		if box, err := d.pdfium.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text, Index: l.index}); err == nil {
			l.box = letterBox{box.Rect.Left, box.Rect.Top, box.Rect.Right, box.Rect.Bottom}
			l.hidden = d.inHidden(text, l.index)
		}
	}
}

// Gaps between letters, as parts of their height.
const (
	wordGap   = .15 // between words at least
	letterGap = .08 // within words at most
	trackGap  = .6  // the same in headings with widely spaced letters
)

// inLines puts the blanks of a line where the letters have gaps: PDFium's own are between some letters of
// tightly set words, and missing between others. A line whose parts are one above the other becomes several.
func (d *document) inLines(text references.FPDF_TEXTPAGE, line []letter) (lines [][]letter) {
	turned := isTurned(line)
	track, tracked := tracking(line, turned)
	var one []letter
	last := -1 // in one: the last letter that is not blank
	for _, l := range line {
		if last >= 0 && l.located() && one[last].located() {
			before, blanks := one[last], one[last+1:]
			gap, height, above := before.gap(l, turned)
			switch {
			case above && len(blanks) > 0, before.r == hyphenRune:
				lines, one = append(lines, one[:last+1:last+1]), nil
			case len(blanks) == 0 && gap-track > wordGap*height && before.spaced() && l.spaced():
				one = append(one, letter{r: ' ', index: -1})
			case len(blanks) == 1 && gap-tracked < letterGap*height && !turned && d.joined(text, blanks[0], l, tracked):
				one = one[:last+1]
			}
		}
		one = append(one, l)
		if !unicode.IsSpace(l.r) {
			last = len(one) - 1
		}
	}
	return append(lines, one)
}

// tracking returns the usual gap between the letters of a line. tracked is the same if PDFium has a blank in
// every gap of the line, and so takes letters for words; otherwise it is 0.
func tracking(line []letter, turned bool) (track, tracked float32) {
	var gaps []float32
	blanks := 0
	var height float32
	var before letter
	for _, l := range line {
		switch {
		case unicode.IsSpace(l.r):
			blanks++
			continue
		case before.located() && l.located() && unicode.IsLetter(l.r) && unicode.IsLetter(before.r):
			gap, h, _ := before.gap(l, turned)
			gaps, height = append(gaps, gap), max(height, h)
		}
		before = l
	}
	if len(gaps) < 2 {
		return 0, 0
	}
	slices.Sort(gaps)
	if track = max(gaps[len(gaps)/2], 0); track > trackGap*height {
		return 0, 0
	}
	if blanks >= len(gaps) && len(gaps) > 2 {
		tracked = track
	}
	return track, tracked
}

// isTurned reports whether the letters of a line's words are one above the other.
func isTurned(line []letter) bool {
	turned := 0
	for i := range max(len(line)-1, 0) {
		a, b := line[i], line[i+1]
		if !a.located() || !b.located() {
			continue
		}
		across := abs(a.box.left + a.box.right - b.box.left - b.box.right)
		if abs(a.box.top+a.box.bottom-b.box.top-b.box.bottom) > across {
			turned++
		} else {
			turned--
		}
	}
	return turned > 0
}

func abs(f float32) float32 { return max(f, -f) }

// gap returns how far a letter is from another along their line, and how high the lower of them is. above
// says that they cannot be on one line.
func (l letter) gap(other letter, turned bool) (gap, height float32, above bool) {
	a, b := l.box, other.box
	if turned {
		a, b = letterBox{a.bottom, a.right, a.top, a.left}, letterBox{b.bottom, b.right, b.top, b.left}
	}
	return max(a.left, b.left) - min(a.right, b.right), min(a.top-a.bottom, b.top-b.bottom), a.bottom > b.top || b.bottom > a.top
}

// spaced reports whether words of the letter's script are separated by blanks.
func (l letter) spaced() bool {
	return !unicode.In(l.r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic, unicode.Hebrew, unicode.Thai)
}

// joined reports whether a blank and the letter after it are where the word goes on. What boxes tell is not exact:
// a slanted letter may reach into a blank.
func (d *document) joined(text references.FPDF_TEXTPAGE, blank, l letter, tracked float32) bool {
	if tracked > 0 {
		return got(d.pdfium.FPDFText_IsGenerated(&requests.FPDFText_IsGenerated{TextPage: text, Index: blank.index})).IsGenerated
	}
	from := got(d.pdfium.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: text, Index: blank.index})).Left
	to := got(d.pdfium.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: text, Index: l.index})).X
	height := float64(l.box.top - l.box.bottom)
	return to > from-height && to < from+letterGap*height
}

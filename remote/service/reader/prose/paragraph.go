package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// paragraphs divides lines into paragraphs.
func paragraphs(lines []piece) (all [][]piece) {
	for n := 1; len(lines) > 0; n = 1 {
		right := lines[0].right() // of the lines that are below each other
		for ; n < len(lines) && lines[n-1].above(lines[n]); n++ {
			right = max(right, lines[n].right())
		}
		from := 0
		for i := 1; i <= n; i++ {
			if i < n && !begins(lines[from:i], lines[i], right) {
				continue
			}
			if last := len(all) - 1; from == 0 && last >= 0 && all[last][len(all[last])-1].continues(lines[0]) {
				all[last] = append(slices.Clip(all[last]), lines[:i]...)
			} else {
				all = append(all, lines[from:i])
			}
			from = i
		}
		lines = lines[n:]
	}
	return all
}

// like reports whether two lines may be of one paragraph, by their size.
func (p piece) like(q piece) bool {
	return p.Height > 0 && q.Height > 0 && p.Height < alike*q.Height && q.Height < alike*p.Height
}

// above reports whether another line is the next one below.
func (p piece) above(q piece) bool {
	return p.like(q) && q.Y > p.Y && q.Y-p.Y-p.Height < .6*p.Height && q.X < p.right() && p.X < q.right()
}

// continues reports whether a line that is not below another one, but in the next column, goes on with its sentence.
func (p piece) continues(q piece) bool {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(p.Text, hyphens))
	return p.goesOn || p.like(q) && q.X >= p.right() && q.Y < p.Y && lower(q) && (unicode.IsLetter(end) || end == ',')
}

func lower(p piece) bool {
	first, _ := utf8.DecodeRuneInString(p.Text)
	return unicode.IsLower(first)
}

// begins reports whether a line begins a paragraph: its first word had room at the end of the line before, or it is
// indented, marked as an item of a list, or a row of a table.
func begins(before []piece, line piece, right float64) bool {
	last, size := before[len(before)-1], line.Height
	room := last.right() + .3*size + line.Words[1] - line.Words[0]
	if lower(line) { // the sentence seems to go on
		room += 2 * size
	}
	if last.goesOn || marked().MatchString(line.Text) || line.row() || last.row() || room <= right {
		return !last.goesOn
	}
	indent, shift := line.X-last.X, line.X+line.right()-last.X-last.right()
	centred := max(shift, -shift) < .4*size
	return !centred && (indent > .5*size && !marked().MatchString(last.Text) || indent < -.5*size && len(before) > 1)
}

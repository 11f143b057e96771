package prose

import (
	"strings"
)

const (
	deepest    = 3   // halvings of a page into columns
	mostGaps   = 200 // that are looked at
	leastLines = 3   // that extend across two columns
)

// inColumns returns pieces in the order in which they are read. Where lines extend across two columns, that order is not of
// thoughts: each column is read from its top to its end, between what has no gap there. A table is not two columns.
func inColumns(all []piece, depth int) []piece {
	at, ok := gutter(all)
	if !ok || depth == deepest {
		return all
	}
	var read, left, right []piece
	flush := func() {
		read = append(append(read, inColumns(left, depth+1)...), inColumns(right, depth+1)...)
		left, right = nil, nil
	}
	for _, p := range all {
		n := p.gap(wide, func(from, to float64) bool { return from < at && at < to })
		switch {
		case n > 0:
			a, b := p.split(n)
			left, right = append(left, a), append(right, b)
		case p.right() <= at:
			left = append(left, p)
		case p.X >= at:
			right = append(right, p)
		default:
			flush()
			read = append(read, p)
		}
	}
	flush()
	return read
}

// split divides a piece after a number of words.
func (p piece) split(n int) (piece, piece) {
	words, a, b := strings.Fields(p.Text), p, p
	a.Text, a.Words, a.goesOn = strings.Join(words[:n], " "), p.Words[:2*n], false
	b.Text, b.Words = strings.Join(words[n:], " "), p.Words[2*n:]
	a.Width, b.X, b.Width = a.Words[2*n-1]-a.X, b.Words[0], p.right()-b.Words[0]
	return a, b
}

// gutter returns the middle of the gap that most lines have in common, if there is text on both sides.
func gutter(all []piece) (at float64, ok bool) {
	var gaps [][2]float64
	for _, p := range all {
		p.gap(wide, func(from, to float64) bool {
			gaps = append(gaps, [2]float64{from, to})
			return false
		})
	}
	most, before, after := 0, 0, 0 // lines with the gap, and their words on both sides
	for i := 0; i < len(gaps); i += 1 + len(gaps)/mostGaps {
		middle, n := (gaps[i][0]+gaps[i][1])/2, 0
		for _, g := range gaps {
			if g[0] < middle && middle < g[1] {
				n++
			}
		}
		if n > most {
			at, most = middle, n
		}
	}
	for _, p := range all {
		if n := p.gap(wide, func(from, to float64) bool { return from < at && at < to }); n > 0 {
			before, after = before+n, after+len(p.Words)/2-n
		}
	}
	return at, most >= leastLines && min(before, after) >= 3*most
}

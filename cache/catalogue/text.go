package catalogue

import "strings"

// text holds the names and endings of a base's nodes, in pieces. So it grows without
// copying, and two trees can share pieces.
type text []string

const (
	pieceBits = 20
	pieceSize = 1 << pieceBits
	// maxPieces keeps positions in a text within 32 bits.
	maxPieces = 1 << (32 - pieceBits)
)

// at returns the n bytes at position start.
func (t text) at(start uint32, n uint16) string {
	at := start & (pieceSize - 1)
	return t[start>>pieceBits][at : at+uint32(n)]
}

func (t text) bytes() (n int) {
	for _, piece := range t {
		n += len(piece)
	}
	return n
}

// textBuilder appends to a text.
type textBuilder struct {
	text  text
	piece strings.Builder // the last piece, unfinished
}

// add appends two strings, one after the other, and returns the position of the first.
// Each must be shorter than half a piece.
func (b *textBuilder) add(first, second string) (start uint32) {
	if b.piece.Len()+len(first)+len(second) > pieceSize {
		b.end()
		b.piece.Grow(pieceSize) // a tree that fills one piece will fill another
	}
	start = uint32(len(b.text)<<pieceBits + b.piece.Len())
	b.piece.WriteString(first)
	b.piece.WriteString(second)
	return start
}

// end finishes the last piece and drops its spare capacity.
func (b *textBuilder) end() {
	if b.piece.Len() == 0 {
		return
	}
	piece := b.piece.String()
	if b.piece.Cap() > len(piece)+len(piece)/8 {
		piece = strings.Clone(piece)
	}
	b.text = append(b.text, piece)
	b.piece.Reset()
}

func (b *textBuilder) full() bool { return len(b.text) >= maxPieces-1 }

package catalogue

import "strings"

// text has the names and endings of a base's nodes, in pieces. So it grows without
// being copied, and two trees can share pieces.
type text []string

const (
	pieceBits = 20
	pieceSize = 1 << pieceBits
	// maxPieces keeps places in a text within 32 bits.
	maxPieces = 1 << (32 - pieceBits)
)

// at returns the n bytes that begin at a place.
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

// textBuilder adds to a text.
type textBuilder struct {
	text  text
	piece strings.Builder // the last one, under way
}

// add puts two strings one after the other and returns the place of the first.
// They are shorter than half a piece.
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

// end closes the last piece and drops its spare capacity.
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

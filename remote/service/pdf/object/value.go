// Package object reads the objects of a PDF that PDFium has written: without encryption, compressed objects or
// comments. PDFium itself says nothing of some of them.
package object

// Values of objects are nil, bool, float64, String, Name, Array, Dict and Ref.
type (
	String string // bytes
	Name   string
	Array  []any
	Dict   map[Name]any
	Ref    int // the number of another object
)

// Package object reads the objects of a PDF that PDFium has written: without encryption, compressed objects or
// comments. PDFium itself says nothing of some of them.
package object

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Values of objects are nil, bool, float64, String, Name, Array, Dict and Ref.
type (
	String string // bytes
	Name   string
	Array  []any
	Dict   map[Name]any
	Ref    int // the number of another object
)

// Format returns a value as PDFs have it.
func Format(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case String:
		return fmt.Sprintf("<%x>", string(v))
	case Name:
		return formatName(v)
	case Ref:
		return fmt.Sprintf("%d 0 R", int(v))
	case Array:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = Format(item)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case Dict:
		var b strings.Builder
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(formatName(key) + " " + Format(v[key]) + " ")
		}
		return "<<" + b.String() + ">>"
	}
	return "null"
}

func formatName(n Name) string {
	var b strings.Builder
	b.WriteByte('/')
	for i := range len(n) {
		if c := n[i]; c > ' ' && c < 0x7f && c != '#' && !isDelimiter(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "#%02x", c)
		}
	}
	return b.String()
}

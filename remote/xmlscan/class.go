package xmlscan

import "unicode/utf8"

// Classes of bytes inside markup.
const (
	nameByte  = 1 << iota // may stand in a name
	startByte             // may begin a name
	spaceByte
	plainByte // stands for itself in an attribute value
)

var class = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == ':', b >= utf8.RuneSelf:
			c[b] |= nameByte | startByte
		case b >= '0' && b <= '9', b == '-', b == '.':
			c[b] |= nameByte
		case b == ' ', b == '\t', b == '\r', b == '\n':
			c[b] |= spaceByte
		}
		if b >= ' ' && b < utf8.RuneSelf && b != '&' && b != '<' {
			c[b] |= plainByte
		}
	}
	return c
}()

// nameLength returns the length of the name at the beginning of data; 0 for none.
func nameLength(data []byte) int {
	if len(data) == 0 || class[data[0]]&startByte == 0 {
		return 0
	}
	n := 1
	for n < len(data) && class[data[n]]&nameByte != 0 {
		n++
	}
	return n
}

func spaces(data []byte) int {
	n := 0
	for n < len(data) && class[data[n]]&spaceByte != 0 {
		n++
	}
	return n
}

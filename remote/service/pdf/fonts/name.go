package fonts

import "encoding/binary"

// named returns a font with other names, in a table after its others.
func named(font []byte, family, style string) []byte {
	const header, record = 12, 16 // bytes of a font's directory
	table := names(family, style)
	for at := header; at < header+record*int(binary.BigEndian.Uint16(font[4:])); at += record {
		if string(font[at:][:4]) == "name" {
			binary.BigEndian.PutUint32(font[at+8:], uint32(len(font)))
			binary.BigEndian.PutUint32(font[at+12:], uint32(len(table)))
		}
	}
	return append(font, table...)
}

// names returns a table of names in ASCII, for the Macintosh.
func names(family, style string) []byte {
	all := []string{family, style, "", family + " " + style} // from number 1
	table := binary.BigEndian.AppendUint16(nil, 0)
	table = binary.BigEndian.AppendUint16(table, uint16(len(all)))
	table = binary.BigEndian.AppendUint16(table, uint16(6+12*len(all)))
	text := ""
	for i, name := range all {
		for _, n := range []int{1, 0, 0, i + 1, len(name), len(text)} {
			table = binary.BigEndian.AppendUint16(table, uint16(n))
		}
		text += name
	}
	return append(table, text...)
}

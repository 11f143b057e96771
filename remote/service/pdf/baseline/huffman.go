package baseline

import "encoding/hex"

// huffman is a table of codes.
type huffman struct {
	spec []byte // as in a file: the number of codes of 1 to 16 bits, then their values
	code [256]uint32
	size [256]uint
}

// The tables of T.81, K.3, for brightness and for colours.
var (
	huffmanDC = [2]huffman{
		parse("00010501010101010100000000000000" + "000102030405060708090a0b"),
		parse("00030101010101010101010000000000" + "000102030405060708090a0b"),
	}
	huffmanAC = [2]huffman{
		parse("0002010303020403050504040000017d" +
			"01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a" +
			"3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a" +
			"838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9ca" +
			"d2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa"),
		parse("00020102040403040705040400010277" +
			"000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a" +
			"35363738393a434445464748494a535455565758595a636465666768696a737475767778797a" +
			"82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9ca" +
			"d2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa"),
	}
)

// parse assigns the codes in order, as in T.81, annex C.
func parse(digits string) huffman {
	spec, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	h := huffman{spec: spec}
	code, values := uint32(0), spec[16:]
	for i, count := range spec[:16] {
		for range count {
			h.code[values[0]], h.size[values[0]] = code, uint(i+1)
			code, values = code+1, values[1:]
		}
		code <<= 1
	}
	return h
}

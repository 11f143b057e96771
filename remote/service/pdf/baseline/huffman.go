package baseline

import "slices"

// huffman is a table of codes.
type huffman struct {
	spec []byte // as in a file: the number of codes of 1 to 16 bits, then their values
	code [256]uint32
	size [256]uint
}

// longest is the number of bits of the longest code that a file can have.
const longest = 16

// best returns the table for a file whose symbols are there so many times (T.81, K.2).
func best(count *[256]int) huffman {
	var weight [257]int // the last one is spare, so that no code is all ones
	copy(weight[:], count[:])
	weight[256] = 1
	length := lengths(&weight)
	for slices.Max(length[:]) > longest {
		for i, w := range weight {
			weight[i] = (w + 1) / 2
		}
		length = lengths(&weight)
	}
	spec := make([]byte, longest, longest+len(count))
	for n := range longest {
		for symbol := range count {
			if length[symbol] == n+1 {
				spec[n]++
				spec = append(spec, byte(symbol))
			}
		}
	}
	return assign(spec)
}

// lengths returns the number of bits of each symbol's code, or 0 for none: Huffman's tree.
func lengths(weight *[257]int) (length [257]int) {
	type node struct {
		weight  int
		symbols []int
	}
	var nodes []node
	for i, w := range weight {
		if w > 0 {
			nodes = append(nodes, node{w, []int{i}})
		}
	}
	for len(nodes) > 1 {
		slices.SortFunc(nodes, func(a, b node) int { return b.weight - a.weight })
		last := len(nodes) - 1
		a, b := nodes[last-1], nodes[last]
		joined := node{a.weight + b.weight, append(a.symbols, b.symbols...)}
		for _, i := range joined.symbols {
			length[i]++
		}
		nodes = append(nodes[:last-1], joined)
	}
	return length
}

// assign assigns the codes in order, as in T.81, annex C.
func assign(spec []byte) huffman {
	h := huffman{spec: spec}
	code, values := uint32(0), spec[longest:]
	for i, count := range spec[:longest] {
		for range count {
			h.code[values[0]], h.size[values[0]] = code, uint(i+1)
			code, values = code+1, values[1:]
		}
		code <<= 1
	}
	return h
}

package inode

import (
	"encoding/hex"
)

// Digest is the SHA-256 of content, zero where it is not known.
type Digest [32]byte

// DigestOf reads a digest in hex. What is none is not known.
func DigestOf(text string) (d Digest) {
	var digits [2 * len(d)]byte
	if len(text) != copy(digits[:], text) {
		return Digest{}
	}
	if n, err := hex.Decode(d[:], digits[:len(text)]); err != nil || n != len(d) {
		return Digest{}
	}
	return d
}

// Known reports whether there is one.
func (d Digest) Known() bool { return d != Digest{} }

// String is the digest in hex, empty where it is not known.
func (d Digest) String() string { return string(d.AppendTo(nil)) }

func (d Digest) AppendTo(to []byte) []byte {
	if !d.Known() {
		return to
	}
	return hex.AppendEncode(to, d[:])
}

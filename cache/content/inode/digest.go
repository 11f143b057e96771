package inode

import (
	"encoding/hex"
)

// Digest is a SHA-256, zero if unknown.
type Digest [32]byte

// DigestOf parses a digest in hex. An invalid one is unknown.
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

// Known reports whether the digest is known.
func (d Digest) Known() bool { return d != Digest{} }

// String returns the digest in hex, empty if unknown.
func (d Digest) String() string { return string(d.AppendTo(nil)) }

func (d Digest) AppendTo(to []byte) []byte {
	if !d.Known() {
		return to
	}
	return hex.AppendEncode(to, d[:])
}

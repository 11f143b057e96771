package remote

import (
	"crypto/sha256"
	"fmt"
)

// Kept returns a text from which MeasureOf makes the same Measure in a later run of the
// process. It is "" for content of one block, which is read in any case.
func (m *Measure) Kept() string {
	result := m.result()
	if result.size < blockSize {
		return ""
	}
	return fmt.Sprintf("%x-%08x-%d-%d", result.sum, result.crc, result.tally.plus, result.tally.slash)
}

// MeasureOf returns the measure of content of some size, from the text of Kept; nil if the
// text is invalid. Nothing may be written to it.
func MeasureOf(text string, size int64) *Measure {
	known := measured{size: size}
	var sum []byte
	if _, err := fmt.Sscanf(text, "%x-%08x-%d-%d", &sum, &known.crc, &known.tally.plus, &known.tally.slash); err != nil || len(sum) != sha256.Size {
		return nil
	}
	copy(known.sum[:], sum)
	return &Measure{known: &known}
}

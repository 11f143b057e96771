package store

import "math/rand/v2"

// NewVersion returns the version of a record that is added or changed: a random number, because a
// counter would come to the same numbers again after an older state was restored.
func NewVersion() int64 { return rand.Int64() }

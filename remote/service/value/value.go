// Package value reads and writes the values that travel in parameters and
// answers (service contract, 1.4 and 2.3).
package value

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxID is the greatest id, a positive 32-bit signed integer.
const maxID = 1<<31 - 1

// Trim takes off the blanks that ids, booleans, dates and the like may carry.
func Trim(s string) string { return strings.Trim(s, " \t\r\n") }

// ID reads an id of 1 to 2147483647: digits only, leading zeros and blanks
// around it allowed.
func ID(s string) (int64, bool) {
	id, ok := IDOrZero(s)
	return id, ok && id > 0
}

// IDOrZero is ID where 0 has a meaning.
func IDOrZero(s string) (int64, bool) {
	s = Trim(s)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil && id <= maxID
}

// Bool reads true, false, 1 and 0, in any case; where it is empty it stands
// for empty.
func Bool(s string, empty bool) (b, ok bool) {
	switch strings.ToLower(Trim(s)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	case "":
		return empty, true
	}
	return false, false
}

// Structure writes a boolean as attributes of the structure kind do.
func Structure(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// KB is a size in whole KB, rounded up, so that only nothing is 0.
func KB(bytes int64) int64 { return (bytes + 1023) / 1024 }

// Text reports whether XML 1.0 can carry s. Input that it cannot is refused,
// so that every answer is well-formed.
func Text(s string) bool {
	for i, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
		case r < 0x20 || r == 0xFFFE || r == 0xFFFF:
			return false
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return false
			}
		}
	}
	return true
}

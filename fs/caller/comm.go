package caller

import "strings"

// Comm returns the name of the program that thread tid runs (at most 15 bytes), or "" if
// it cannot be read.
func Comm(tid uint32) string {
	if tid == 0 {
		return ""
	}
	b, err := read(tid, "comm", make([]byte, 64))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(b), "\n")
}

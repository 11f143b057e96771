package caller

import (
	"fmt"
	"os"
	"strings"
)

// Comm is the name of the program that thread tid runs (at most 15 bytes),
// empty where it cannot be known.
func Comm(tid uint32) string {
	if tid == 0 {
		return ""
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", tid))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(b), "\n")
}

package caller

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// programIn returns the program's name in a stat: the second field, in parentheses, which
// may contain any characters.
func programIn(stat string) string {
	_, name, _ := strings.Cut(stat, "(")
	return name[:max(0, strings.LastIndexByte(name, ')'))]
}

// number returns a field of a stat after the program's name, numbered as in proc(5).
func number(stat string, field int) (n uint64, ok bool) {
	i := strings.LastIndexByte(stat, ')')
	fields := strings.Fields(stat[i+1:]) // they begin at the third
	if i < 0 || len(fields) <= field-3 {
		return 0, false
	}
	n, err := strconv.ParseUint(fields[field-3], 10, 64)
	return n, err == nil
}

// statusField returns one line of a thread's status. Reading status never blocks.
func statusField(tid uint32, field string) (string, bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(status)) {
		if name, value, ok := strings.Cut(line, ":"); ok && name == field {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

package disktest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// call is a system call that succeeded.
type call struct {
	name       string
	args       []string // with strings decoded
	result     int64
	begun, end int // lines of the trace: a call sees the effect of calls that ended before it began
}

// parse reads the output of strace -f -xx in the order in which the calls ended. Writes to
// standard output, and calls that free a file descriptor for reuse, come in the order in which
// they began.
func parse(trace []byte) (calls []call, err error) {
	type open struct {
		text  string
		begun int
		at    int // its index in calls if it already has one, else -1
	}
	unfinished := map[string]open{}
	line := 0
	for raw := range bytes.Lines(trace) {
		line++
		pid, text, _ := strings.Cut(strings.TrimRight(string(raw), "\n"), " ")
		text = strings.TrimLeft(text, " ")
		begun, at := line, -1
		if rest, cut := strings.CutSuffix(text, " <unfinished ...>"); cut {
			o := open{rest, line, -1}
			if strings.HasPrefix(rest, "write(1,") || strings.HasPrefix(rest, "close(") {
				o.at = len(calls)
				calls = append(calls, call{})
			}
			unfinished[pid] = o
			continue
		}
		if strings.HasPrefix(text, "<... ") {
			_, rest, found := strings.Cut(text, " resumed>")
			o, known := unfinished[pid]
			if !found || !known {
				return nil, fmt.Errorf("line %d of the trace: %q", line, text[:min(len(text), 80)])
			}
			delete(unfinished, pid)
			text, begun, at = o.text+rest, o.begun, o.at
		}
		c, ok, err := parseCall(text)
		if err != nil {
			return nil, fmt.Errorf("line %d of the trace: %w", line, err)
		}
		c.begun, c.end = begun, line
		switch {
		case !ok:
		case at >= 0:
			calls[at] = c
		default:
			calls = append(calls, c)
		}
	}
	return slices.DeleteFunc(calls, func(c call) bool { return c.name == "" }), nil
}

// parseCall parses NAME(ARGS) = RESULT. It returns false for a call that failed or never ended.
func parseCall(text string) (c call, ok bool, err error) {
	head, result, found := cutLast(text, ") ")
	if !found {
		return c, false, nil // exit and the like
	}
	result = strings.TrimLeft(result, " ")
	result, found = strings.CutPrefix(result, "= ")
	if !found {
		return c, false, fmt.Errorf("no result in %q", text[max(0, len(text)-80):])
	}
	number, _, _ := strings.Cut(result, " ")
	if c.result, err = strconv.ParseInt(number, 0, 64); err != nil || c.result < 0 {
		return c, false, nil // "?" if the process ended before the call returned
	}
	var args string
	c.name, args, _ = strings.Cut(head, "(")
	for arg := range strings.SplitSeq(args, ", ") {
		if quoted, found := strings.CutPrefix(arg, `"`); found {
			decoded, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSuffix(quoted, `"`), `\x`, ""))
			if err != nil {
				return c, false, fmt.Errorf("the text of a %s: %w", c.name, err)
			}
			arg = string(decoded)
		}
		c.args = append(c.args, arg)
	}
	return c, true, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// fd returns a file descriptor among the arguments; -1 for none.
func (c call) fd(i int) int {
	n, err := strconv.Atoi(c.args[i])
	if err != nil {
		return -1
	}
	return n
}

func (c call) number(i int) int64 {
	n, _ := strconv.ParseInt(strings.Trim(c.args[i], "[]"), 0, 64)
	return n
}

package rules

import (
	"regexp"
	"strings"
	"sync"
)

// Pattern compiles an expression on first use: most runs of the program need none.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var decimal = Pattern(`^-?[0-9]{1,12}([.,][0-9]{1,6})?$`)

// Decimal parses a number with a comma or point. It returns the number with a point and without
// trailing zeros.
func Decimal(s string) (string, bool) {
	if s = Trim(s); !decimal().MatchString(s) {
		return "", false
	}
	if s = strings.Replace(s, ",", ".", 1); strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s, true
}

package rules

import (
	"regexp"
	"strings"
)

var decimal = regexp.MustCompile(`^-?[0-9]{1,12}([.,][0-9]{1,6})?$`)

// Decimal parses a number with a comma or point. It returns the number with a point and without
// trailing zeros.
func Decimal(s string) (string, bool) {
	s = Trim(s)
	if !decimal.MatchString(s) {
		return "", false
	}
	if s = strings.Replace(s, ",", ".", 1); strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s, true
}

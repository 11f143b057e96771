package value

import (
	"regexp"
	"strings"

	"paperfs/remote/rules"
)

var decimal = regexp.MustCompile(`^-?[0-9]{1,12}([.,][0-9]{1,6})?$`)

// Decimal reads a number with a comma or point and returns it with a point and
// without zeros at its end.
func Decimal(s string) (string, bool) {
	s = rules.Trim(s)
	if !decimal.MatchString(s) {
		return "", false
	}
	if s = strings.Replace(s, ",", ".", 1); strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s, true
}

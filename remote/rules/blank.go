package rules

import "strings"

// Trim removes the blanks that ids, booleans, numbers and dates may have around them.
func Trim(s string) string { return strings.Trim(s, " \t\r\n") }

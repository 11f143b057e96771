package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"paperfs/remote/xmlscan"
)

// The types of settings and custom fields.
const (
	BoolType     = "bool"
	IntType      = "int"
	StringType   = "string"
	DateTimeType = "datetime"
)

// Typed reads a value of a setting or custom field (contract, 4.1). It returns the form
// in which the service keeps and returns the value; false if the value does not have
// the type.
func Typed(kind, s string) (canonical string, ok bool) {
	switch kind {
	case BoolType:
		b, ok := Bool(s, false)
		return strconv.FormatBool(b), ok && Trim(s) != ""
	case IntType:
		n, err := strconv.ParseInt(Trim(s), 10, 32)
		return strconv.FormatInt(n, 10), err == nil
	case DateTimeType:
		t, ok := Time(s)
		return FormatDay(t), ok
	case StringType:
		return s, xmlscan.Carries(s) && utf8.RuneCountInString(s) <= MaxText
	}
	return "", false
}

// Bool reads true, false, 1 and 0, in any case. An empty text stands for empty.
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

// Structure formats a boolean for attributes of structure kind.
func Structure(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// KB returns a size in KB, rounded up, so that only 0 bytes are 0 KB.
func KB(bytes int64) int64 { return (bytes + 1023) / 1024 }

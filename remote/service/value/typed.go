package value

import (
	"strconv"
	"unicode/utf8"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// The types of settings and custom fields.
const (
	BoolType     = "bool"
	IntType      = "int"
	StringType   = "string"
	DateTimeType = "datetime"
)

// Typed reads a value of a setting or custom field and returns it in the one
// form in which it is kept and returned; false where it does not fit its type.
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
		return s, xmlscan.Carries(s) && utf8.RuneCountInString(s) <= rules.MaxText
	}
	return "", false
}

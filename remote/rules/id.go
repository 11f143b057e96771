package rules

import (
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// ID parses an id from 1 to 2147483647. It allows only digits, with leading zeros and surrounding
// spaces.
func ID(s string) (int64, bool) {
	id, ok := IDOrZero(s)
	return id, ok && id > 0
}

// IDOrZero is ID but also accepts 0.
func IDOrZero(s string) (int64, bool) {
	s = Trim(s)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil && id <= MaxID
}

// GUID parses a GUID of 36 characters in any case, with or without braces, and returns it in
// lower case.
func GUID(s string) (string, bool) {
	s = Trim(s)
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	if len(s) != 36 {
		return "", false
	}
	id, err := uuid.Parse(s)
	return id.String(), err == nil
}

package value

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"paperfs/remote/rules"
)

// ID reads an id of 1 to 2147483647: digits only, leading zeros and blanks
// around it allowed.
func ID(s string) (int64, bool) {
	id, ok := IDOrZero(s)
	return id, ok && id > 0
}

// IDOrZero is ID where 0 has a meaning.
func IDOrZero(s string) (int64, bool) {
	s = rules.Trim(s)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil && id <= rules.MaxID
}

// Structure writes a boolean as attributes of the structure kind do.
func Structure(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// KB is a size in whole KB, rounded up, so that only nothing is 0.
func KB(bytes int64) int64 { return (bytes + 1023) / 1024 }

// GUID reads a GUID of 36 characters in any case, braces around it or not, and
// returns it in lower case.
func GUID(s string) (string, bool) {
	s = rules.Trim(s)
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	if len(s) != 36 {
		return "", false
	}
	id, err := uuid.Parse(s)
	return id.String(), err == nil
}

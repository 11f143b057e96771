package negotiate

import "strings"

// Matches compares as If-None-Match does (RFC 9110, 13.1.2): weak or not is the
// same, and * alone stands for whatever there is. A foreign tag that has a comma
// in it falls into pieces, of which none is in quotes.
func Matches(header []string, tag string) bool {
	list := strings.Join(header, ",")
	if strings.TrimSpace(list) == "*" {
		return true
	}
	for _, one := range strings.Split(list, ",") {
		if strings.TrimPrefix(strings.TrimSpace(one), "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

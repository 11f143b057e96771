package answer

import "strings"

// MatchesTag compares tags like If-None-Match (RFC 9110, 13.1.2): weak and strong tags are equal,
// and a single * matches everything. A foreign tag that contains a comma is split into pieces,
// none of which matches.
func MatchesTag(header []string, tag string) bool {
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

package generated

import (
	"fmt"
	"strconv"
	"strings"

	"paperfs/remote"
)

// parseFieldSearch parses a query on custom fields: NAME=PATTERN[&NAME=PATTERN…]. In a pattern, *
// stands for any run of characters and %XX for one literal byte, so that a query can
// contain &, =, * and %. The service's own wildcard is %, which cannot be escaped there,
// so parseFieldSearch refuses a literal % together with *.
func parseFieldSearch(query string) ([]remote.FieldCriterion, error) {
	var criteria []remote.FieldCriterion
	for part := range strings.SplitSeq(query, "&") {
		name, pattern, ok := strings.Cut(part, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q is not a criterion: write NAME=PATTERN, several joined by &", part)
		}
		name, err := unescape(name)
		if err != nil {
			return nil, err
		}
		c := remote.FieldCriterion{Name: name, Wildcard: strings.Contains(pattern, "*")}
		if c.Value, err = unescape(pattern); err != nil {
			return nil, err
		}
		if c.Wildcard {
			if strings.Contains(c.Value, "%") {
				return nil, fmt.Errorf("%q: the service cannot look for a literal %% together with *", pattern)
			}
			if c.Value, err = unescape(strings.ReplaceAll(pattern, "*", "%25")); err != nil {
				return nil, err
			}
		}
		criteria = append(criteria, c)
	}
	return criteria, nil
}

// unescape decodes %XX.
func unescape(text string) (string, error) {
	if !strings.Contains(text, "%") {
		return text, nil
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		if i+3 > len(text) {
			return "", fmt.Errorf("%q: %% is followed by two hexadecimal digits; a literal %% is written %%25", text)
		}
		n, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q: %% is followed by two hexadecimal digits; a literal %% is written %%25", text)
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), nil
}

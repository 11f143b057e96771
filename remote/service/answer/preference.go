package answer

import (
	"strings"

	"paperfs/remote/service/address"
)

// Preference returns the value of a preference in the Prefer header (RFC 7240), and whether there is
// one with that name, ignoring case: the first counts, without its parameters.
func Preference(header []string, name string) (value string, has bool) {
	for _, one := range address.SplitQuoted(strings.Join(header, ","), ',') {
		parts := address.SplitQuoted(one, ';')
		if len(parts) == 0 {
			continue
		}
		token, value, _ := strings.Cut(parts[0], "=")
		if strings.EqualFold(strings.TrimSpace(token), name) {
			return unquote(strings.TrimSpace(value)), true
		}
	}
	return "", false
}

// unquote returns the text of a word, which may be in quotes (RFC 9110, 5.6.4).
func unquote(word string) string {
	if len(word) < 2 || word[0] != '"' || word[len(word)-1] != '"' {
		return word
	}
	var text []byte
	for i := 1; i < len(word)-1; i++ {
		if word[i] == '\\' && i+1 < len(word)-1 {
			i++
		}
		text = append(text, word[i])
	}
	return string(text)
}

package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Choose returns the value of one of a flag's words.
func Choose[T any](flag, word string, choices map[string]T) (T, error) {
	choice, ok := choices[word]
	if !ok {
		words := slices.Sorted(maps.Keys(choices))
		return choice, &UsageError{fmt.Errorf("%s %q: give one of %s", flag, word, strings.Join(words, ", "))}
	}
	return choice, nil
}

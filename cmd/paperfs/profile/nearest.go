package profile

import "github.com/spf13/cobra"

// Nearest is the word that somebody may have meant by another, "" for none.
// Cobra knows the distance of words, and offers it for names of commands only.
func Nearest(word string, words []string) string {
	all := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, w := range words {
		all.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	if near := all.SuggestionsFor(word); word != "" && len(near) > 0 {
		return near[0]
	}
	return ""
}

package profile

import "github.com/spf13/cobra"

// Nearest returns the word that is most similar to another, or "" for none: of four letters two may differ, of fewer one.
// Cobra implements the distance, but offers it only for names of commands.
func Nearest(word string, words []string) string {
	all := &cobra.Command{SuggestionsMinimumDistance: max(1, min(2, len(word)/2))}
	for _, w := range words {
		all.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	if near := all.SuggestionsFor(word); word != "" && len(near) > 0 {
		return near[0]
	}
	return ""
}

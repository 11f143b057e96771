package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// mostPlaces is the number of topics that wordsInTopics names.
const mostPlaces = 8

// place is a topic that has the words: how much it is about them, and what is said of it.
type place struct {
	about int
	says  string
}

// wordsInTopics returns where words, in small letters, stand in the manual: the topics that have all of them, first those
// that have them in their title, then most often, each with a line that has most of them. It returns "" if none has.
func wordsInTopics(words []string) string {
	have := func(text string) (n int) {
		for _, word := range words {
			n += min(1, strings.Count(strings.ToLower(text), word))
		}
		return n
	}
	var places []place
	for _, t := range allTopics() {
		text := topicText(t.name)
		if len(words) == 0 || have(text) < len(words) {
			continue
		}
		about, most, best := 1000*have(t.name+" "+t.title), 0, ""
		for line := range strings.Lines(text) {
			n := have(line)
			about += n
			if n > most && !strings.HasPrefix(line, "# ") {
				most, best = n, strings.Trim(line, "#-| \n")
			}
		}
		places = append(places, place{about, fmt.Sprintf("\npaperfs help %s    %s\n    %s\n", t.name, t.title, best)})
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.about, a.about) })
	text := ""
	for _, p := range places[:min(len(places), mostPlaces)] {
		text += p.says
	}
	if text != "" {
		text = fmt.Sprintf("No command or topic is called %q. These topics have it:\n", strings.Join(words, " ")) + text
	}
	return text
}

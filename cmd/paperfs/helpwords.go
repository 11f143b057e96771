package main

import (
	"fmt"
	"slices"
	"strings"
)

// mostPlaces is the number of topics that wordsInTopics names.
const mostPlaces = 8

// wordsInTopics returns where words, in small letters, stand in the manual: the topics that have all of them, first those
// that have them in their title, then most often, each with a line that has most of them. It returns "" if none has.
func wordsInTopics(words []string) string {
	type place struct {
		topic
		often int
		line  string
	}
	var places []place
	for _, t := range allTopics() {
		p := place{topic: t}
		text := topicText(t.name)
		all := !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(strings.ToLower(text), word) })
		most := 0
		for line := range strings.Lines(text) {
			have := 0
			for _, word := range words {
				have += min(1, strings.Count(strings.ToLower(line), word))
			}
			p.often += have
			if have > most && !strings.HasPrefix(line, "# ") {
				most, p.line = have, strings.Trim(line, "#-| \n")
			}
		}
		for _, word := range words {
			p.often += 100 * strings.Count(strings.ToLower(t.name+" "+t.title), word)
		}
		if all && len(words) > 0 {
			places = append(places, p)
		}
	}
	if len(places) == 0 {
		return ""
	}
	slices.SortStableFunc(places, func(a, b place) int { return b.often - a.often })
	var b strings.Builder
	fmt.Fprintf(&b, "No command or topic is called %q. These topics have it:\n", strings.Join(words, " "))
	for _, p := range places[:min(len(places), mostPlaces)] {
		fmt.Fprintf(&b, "\npaperfs help %s    %s\n    %s\n", p.name, p.title, p.line)
	}
	return b.String()
}

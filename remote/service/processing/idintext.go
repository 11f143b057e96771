package processing

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/service/property"
)

// Which Ids are searched for in the text. Shorter Ids would match unrelated text; the
// other two constants bound the cost of a word.
const (
	shortestInText = 3 // characters
	mostWords      = 8 // of an Id
	mostAlike      = 8 // Ids that differ only in the signs around them, such as C and C++
)

// idIndex finds the products of a table in a text.
type idIndex struct {
	of    map[string][]id // by the Id without the signs around it
	words map[string]int  // most words of an Id, by its first word without the signs before it
}

// id is an Id with the signs before and after its core.
type id struct {
	before, after string
	product       property.Product
}

// indexOf indexes the Ids of a table, with one blank between words.
func indexOf(t property.ProductTable) *idIndex {
	all := &idIndex{map[string][]id{}, map[string]int{}}
	for _, text := range slices.Sorted(maps.Keys(t)) {
		words := strings.Fields(text)
		whole := strings.Join(words, " ")
		before, core, after := cutSigns(whole)
		if core == "" || len(words) > mostWords || utf8.RuneCountInString(whole) < shortestInText || len(all.of[core]) == mostAlike {
			continue
		}
		all.of[core] = append(all.of[core], id{before, after, t[text]})
		begin := strings.TrimLeftFunc(words[0], isSign)
		all.words[begin] = max(all.words[begin], len(words))
	}
	return all
}

// in yields the products whose Ids are in a line as whole words, and where each Id
// begins. Signs around an Id may belong to the Id or to the sentence. Of two Ids that
// begin at the same word, the longer one counts.
func (all *idIndex) in(line string) func(yield func(int, property.Product) bool) {
	return func(yield func(int, property.Product) bool) {
		words := wordsIn(line)
		for i := 0; i < len(words); i++ {
			most := max(1, all.words[strings.TrimLeftFunc(line[words[i].from:words[i].to], isSign)])
			for n := min(most, len(words)-i); n > 0; n-- {
				at, p, found := all.whole(line[words[i].from:words[i+n-1].to])
				if !found {
					continue
				}
				if !yield(words[i].from+at, p) {
					return
				}
				i += n - 1
				break
			}
		}
	}
}

// whole finds the product whose Id is a text of whole words, and where its Id begins.
func (all *idIndex) whole(text string) (at int, p property.Product, found bool) {
	before, core, after := cutSigns(text)
	signs := -1 // of the Id found last
	for _, one := range all.of[core] {
		if n := len(one.before) + len(one.after); n > signs && strings.HasSuffix(before, one.before) && strings.HasPrefix(after, one.after) {
			at, p, found, signs = len(before)-len(one.before), one.product, true, n
		}
	}
	return at, p, found
}

type wordPlace struct{ from, to int }

// wordsIn returns the words of a line, which blanks divide.
func wordsIn(line string) (all []wordPlace) {
	from := -1
	for at, r := range line {
		switch blank := unicode.IsSpace(r); {
		case !blank && from < 0:
			from = at
		case blank && from >= 0:
			all = append(all, wordPlace{from, at})
			from = -1
		}
	}
	if from >= 0 {
		all = append(all, wordPlace{from, len(line)})
	}
	return all
}

// cutSigns divides a text into its core and the signs around it.
func cutSigns(text string) (before, core, after string) {
	core = strings.TrimLeftFunc(text, isSign)
	before = text[:len(text)-len(core)]
	after = core
	core = strings.TrimRightFunc(core, isSign)
	return before, core, after[len(core):]
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

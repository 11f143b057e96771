package processing

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/service/product"
)

// What an Id is like that is looked for in the text. A shorter one is found in what has
// nothing to do with it; the other two bound what a word costs.
const (
	shortestInText = 3 // characters
	mostWords      = 8 // that the blanks of an Id divide it into
	mostAlike      = 8 // that differ in the signs around them alone, such as C and C++
)

// idIndex finds the products of a table in a text.
type idIndex struct {
	of    map[string][]id // by the Id without the signs around it
	words map[string]int  // by the first word, without the signs before it: the most words of such an Id
}

// id is an Id: in the text its signs stand around the rest.
type id struct {
	before, after string
	product       product.Product
}

// indexOf takes the Ids of a table, one blank between their words.
func indexOf(t product.Table) *idIndex {
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

// in yields the products whose Ids stand in a line as whole words, with where they begin.
// Signs around an Id belong to it or to the sentence; of two that begin at one word the
// longer counts.
func (all *idIndex) in(line string) func(yield func(int, product.Product) bool) {
	return func(yield func(int, product.Product) bool) {
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

// whole finds the product that a text of whole words names, and where its Id begins.
func (all *idIndex) whole(text string) (at int, p product.Product, found bool) {
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

// wordsIn finds what blanks divide a line into.
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

// cutSigns divides a text into what it is about and the signs around that.
func cutSigns(text string) (before, core, after string) {
	core = strings.TrimLeftFunc(text, isSign)
	before = text[:len(text)-len(core)]
	after = core
	core = strings.TrimRightFunc(core, isSign)
	return before, core, after[len(core):]
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

package view

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Words are the texts of a language, from its file in the folder language. Most of those with %d take page numbers.
type Words struct {
	Tag                                                     string `json:"-"` // the file's name
	Skip, Bar, Pages, Page, PageOf, Spread                  string
	Previous, Next, Overview, ZoomIn, ZoomOut, ZoomAll      string
	Text, Pictures, Speak, FullScreen, Share, Copied, Print string
	Address, Embed, Copy, Send                              string // of the dialog that shares
	Close, Products, NoText, Elsewhere                      string
	SkipToPapers, Category, Here, Titles, NoPapers          string // of a shelf
	AllPapers, Sorting, ByName, Newest                      string // of a shelf
	Months                                                  []string
	Dated                                                   string // a date: %d for the day, %s for the month, %d for the year
	Earlier, Later, More, Short, Empty                      string
	ViewsByPage, Views, Visits, Month                       string // of the statistics
	MonthOf, ForOwners                                      string // MonthOf has %s for a month and %d for its year, ForOwners %s for a time
	Contents, Search, Phrase, NoHits, Partly                string
	Hits                                                    Plural
	PreviousHit, NextHit, HitOf, EndSearch                  string
	TwoPages, ContinueAt                                    string // ContinueAt has %d for a page number

	Point                                  string // the decimal separator
	Basket, Amount, Order, PutIn, Taken    string // Taken has %s for a product
	Remove, EmptyBasket, Total, OrderNote  string // Remove has %s for a product
	Ordered, OneStep, ByHand, BackToPages  string // Ordered has %s for a number; ByHand is for whoever has no program for the message
	OnlyPreview, Changed, TooMany, NotNow  string
	Busy                                   string            // of a search
	Refused, Unsure, Broken, Long          string            // Broken has %d for the HTTP status
	Gone                                   string            // the paper is no longer at its address
	Kept                                   string            // so is the basket, after Gone
	Unloaded                               string            // a script cannot be loaded
	GoTo, PreviewUntil, Offline            string            // PreviewUntil comes before a time
	NotHere, Over, Closed, Preparing, Away Saying            // in place of pages
	Others, Again                          string            // what can be done there
	Checkouts, Handovers, Thens            map[string]string // by checkout type; Checkouts has %s for the recipient, Thens says what happens after the order
}

// Saying is why there are no pages: a heading and a sentence.
type Saying struct{ Heading, Text string }

// Plural has the forms of a sentence about a number, by the categories of the language (one, few, other and so on):
// the browser knows which one a number takes.
type Plural map[string]string

// JSON returns what a script reads of the forms.
func (p Plural) JSON() string {
	text, _ := json.Marshal(p) // strings
	return string(text)
}

//go:embed language
var languageFiles embed.FS

// Languages returns the words of all languages by their tags. It reads them at the first use: most runs of the
// program need none. A new file is a new language.
var Languages = sync.OnceValue(func() map[string]Words {
	all := map[string]Words{}
	files, err := languageFiles.ReadDir("language")
	for _, file := range files {
		var content []byte
		var w Words
		if content, err = languageFiles.ReadFile("language/" + file.Name()); err == nil {
			err = json.Unmarshal(content, &w)
		}
		if err != nil {
			break
		}
		w.Tag = strings.TrimSuffix(file.Name(), ".json")
		all[w.Tag] = w
	}
	if err != nil {
		panic(err) // cannot fail: the files are embedded, and a test reads them
	}
	return all
})

// wordsOf returns the words for a language tag such as de-CH, or else English ones.
func wordsOf(tag string) Words {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if w, ok := Languages()[primary]; ok {
		return w
	}
	return Languages()["en"]
}

// Date returns the day of a time, in UTC.
func (w Words) Date(at time.Time) string {
	year, month, day := at.UTC().Date()
	text := fmt.Sprintf(w.Dated, day, w.Months[month-1], year)
	if w.Tag == "fr" && day == 1 {
		return "1er" + text[1:]
	}
	return text
}

// Money formats an amount with at least two decimals, and the currency, if any.
func (w Words) Money(amount, currency string) string {
	whole, part, _ := strings.Cut(amount, ".")
	for len(part) < 2 {
		part += "0"
	}
	return strings.TrimSpace(whole + w.Point + part + " " + currency)
}

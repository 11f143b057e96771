// Package prose makes paragraphs, headings and lists of the lines that the text of a page has in its PDF, for readers who
// read the text in place of the pictures.
//
// # Invariants
//
//   - No word is lost: what has no place on the page becomes a paragraph as it is.
//   - The order is that of the PDF, unless its lines extend across two columns (column.go).
package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/rules"
	"paperfs/remote/service/pdf"
)

// Kind is what a block is.
type Kind int

// The kinds of blocks.
const (
	Paragraph  Kind = iota
	Item            // of a list
	Heading         // larger than the text
	Subheading      // smaller than the heading before
)

// Block is a part of a page's text without line ends, except for text that has no place on the page.
type Block struct {
	Kind Kind
	Text string
}

// Sizes, as multiples of others.
const (
	headingSize = 1.18 // of a heading at least, of the middle one of all lines
	alike       = 1.12 // of a line at most, of the line before in its paragraph
	wide        = 1    // gap that may be between columns, of the line's height
	veryWide    = 3    // gap that is in a row of a table, of the line's height
)

// Blocks returns the blocks of a page, from its text and its lines in the same order. ratio is the page's width by its height;
// fromRight says that the language is written from right to left.
func Blocks(text string, lines []pdf.Line, ratio float64, fromRight bool) (blocks []Block) {
	pieces := inColumns(pieces(text, lines, ratio, fromRight), 0)
	sizes := make([]float64, len(pieces))
	for i, p := range pieces {
		sizes[i] = p.Height
	}
	slices.Sort(sizes)
	middle, above := sizes[len(sizes)/2], 0.
	for _, paragraph := range paragraphs(pieces) {
		b, size := Block{Text: joined(paragraph, text)}, paragraph[0].Height
		first, _ := utf8.DecodeRuneInString(b.Text)
		if at := bullet().FindString(b.Text); at != "" {
			b = Block{Item, b.Text[len(at):]}
		} else if middle > 0 && size > headingSize*middle && len(paragraph) < 4 && unicode.IsLetter(first) && !paragraph[0].row() {
			if b.Kind = Subheading; above <= alike*size {
				b.Kind, above = Heading, size
			}
		}
		if b.Text != "" {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

var (
	bullet = rules.Pattern(`^[•‣▪▫■□●○◦⁃∙·–—*-]\s+`)
	marked = rules.Pattern(`^([•‣▪▫■□●○◦⁃∙·–—*-]|\d{1,3}[.)])\s`) // the begin of a list's item
)

// hyphens are what a line may end with where it divides a word.
const hyphens = "-\u2010\u00ad"

// joined returns the text of a paragraph's lines. A hyphen at the end of a line, or one that the PDF's text lacks, stays if the
// page has the word with it elsewhere, or goes on with a capital letter.
func joined(lines []piece, page string) string {
	all := lines[0].Text
	for i, line := range lines[1:] {
		b, stem := strings.TrimLeft(line.Text, hyphens), strings.TrimRight(all, hyphens)
		last, _ := utf8.DecodeLastRuneInString(stem)
		next, size := utf8.DecodeRuneInString(b)
		second, _ := utf8.DecodeRuneInString(b[size:])
		word, _, _ := strings.Cut(b, " ")
		switch whole := lines[i].goesOn || stem != all || b != line.Text; {
		case whole && unicode.IsLetter(last) && unicode.IsLetter(next):
			hyphened := strings.TrimFunc(stem[strings.LastIndexByte(stem, ' ')+1:]+"-"+word, func(r rune) bool { return !unicode.IsLetter(r) })
			if unicode.IsUpper(next) && !unicode.IsUpper(second) || strings.Contains(strings.ToLower(page), strings.ToLower(hyphened)) {
				stem += "-"
			}
			all = stem + b
		case whole && unicode.IsDigit(next), unbroken(last) && unbroken(next):
			all += b
		default:
			all += " " + b
		}
	}
	return strings.ReplaceAll(all, "\u00ad", "")
}

// unbroken reports whether a script writes no blanks between words.
func unbroken(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

package product

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/service/value"
	"paperfs/remote/xmlscan"
)

// What a table may hold.
const (
	MostRows    = 100_000
	MostColumns = 1_000
	FieldBytes  = 1 << 10
)

// Product is what a table, or a link, says of a product.
type Product struct {
	ID, Name, Description string
	Price                 string // decimal with a point, of one piece; "" for none
	BadPrice              string // what stands in place of a price, where that is no number from 0
	URL, HoverText        string
	Target                string // HTML target name of a link to URL
}

// Label is what a link to the product is called.
func (p Product) Label() string {
	if p.HoverText != "" {
		return p.HoverText
	}
	return p.Name
}

// Table has products by their ids, in which case counts.
type Table map[string]Product

// ErrNoID: the text has no column Id, so it is no table of products.
var ErrNoID = errors.New("no column Id")

// Parse reads a table: CSV in UTF-8 with commas or semicolons, whose first row names
// the columns. Columns that are not known are left out, and so are rows without an
// Id. Of two rows with the same Id the first counts. The error is in words.
func Parse(text []byte) (Table, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, errors.New("it is not in UTF-8")
	}
	for _, separator := range []rune{',', ';'} {
		r := csv.NewReader(bytes.NewReader(text))
		r.Comma, r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = separator, -1, true, true
		if tooWide(text, byte(separator), true) {
			continue
		}
		head, err := r.Read()
		if err != nil {
			continue // perhaps with the other
		}
		columns := columnsOf(head)
		if columns == nil {
			continue
		}
		if tooWide(text, byte(separator), false) {
			return nil, fmt.Errorf("a row has more than %d columns", MostColumns)
		}
		return readRows(r, columns)
	}
	return nil, ErrNoID
}

// tooWide reports whether the first row, or any, has more than MostColumns: the reader
// of rows takes far more memory for a column than the separator has bytes.
func tooWide(text []byte, separator byte, first bool) bool {
	quoted, blank := false, true
	columns := 1
	for _, b := range text {
		switch {
		case b == '"':
			quoted, blank = !quoted, false
		case quoted || b == '\r':
		case b == '\n':
			if first && !blank {
				return false
			}
			columns, blank = 1, true
		default:
			blank = false
			if b == separator {
				columns++
			}
			if columns > MostColumns {
				return true
			}
		}
	}
	return false
}

func readRows(r *csv.Reader, columns []*column) (Table, error) {
	t := Table{}
	for rows := 0; ; rows++ {
		row, err := r.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, words(err)
		}
		if rows == MostRows {
			return nil, fmt.Errorf("it has more than %d rows", MostRows)
		}
		p, err := readRow(row, columns)
		if err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if _, again := t[p.ID]; p.ID != "" && !again {
			t[p.ID] = p
		}
	}
}

// words tells what is wrong with a row, and where.
func words(err error) error {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return fmt.Errorf("line %d: %w", wrong.Line, wrong.Err)
	}
	return err
}

// column is one that is known.
type column struct {
	name string
	of   func(p *Product) *string
}

var known = []column{
	{"Id", func(p *Product) *string { return &p.ID }},
	{"Name", func(p *Product) *string { return &p.Name }},
	{"Description", func(p *Product) *string { return &p.Description }},
	{"Price", func(p *Product) *string { return &p.Price }},
	{"Url", func(p *Product) *string { return &p.URL }},
	{"HoverText", func(p *Product) *string { return &p.HoverText }},
	{"HrefTarget", func(p *Product) *string { return &p.Target }},
}

// columnsOf finds the known columns, nil in the place of others; nil where none is Id.
func columnsOf(head []string) []*column {
	all := make([]*column, len(head))
	found := false
	for i, name := range head {
		for k := range known {
			if strings.EqualFold(strings.TrimSpace(name), known[k].name) {
				all[i] = &known[k]
				found = found || k == 0
			}
		}
	}
	if !found {
		return nil
	}
	return all
}

func readRow(row []string, columns []*column) (p Product, err error) {
	for i, text := range row {
		if i >= len(columns) || columns[i] == nil {
			continue
		}
		if len(text) > FieldBytes {
			return p, fmt.Errorf("%s is longer than %d bytes", columns[i].name, FieldBytes)
		}
		*columns[i].of(&p) = clean(text)
	}
	if price, ok := Price(p.Price); !ok {
		p.Price, p.BadPrice = "", p.Price
	} else {
		p.Price = price
	}
	return p, nil
}

// clean leaves out what XML cannot carry.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || !xmlscan.CarriesRune(r) {
			return -1
		}
		return r
	}, s))
}

// Price reads a price as it is kept. A blank text is no price and no error: "", true.
func Price(text string) (string, bool) {
	if strings.TrimSpace(text) == "" {
		return "", true
	}
	price, ok := value.Decimal(text)
	if !ok || strings.HasPrefix(price, "-") {
		return "", false
	}
	return price, true
}
